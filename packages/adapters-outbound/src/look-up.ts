// The addresses of a name, from name servers by c-ares. Lookups of the operating system cannot be cancelled, and share
// few threads of the process.
import { promises as dns } from 'node:dns'
import { OutboundError } from './outbound-failure.js'

/** The lookup is cancelled when the signal aborts. */
export type Lookup = (
  hostname: string,
  options: {
    readonly servers: ReadonlyArray<string> | undefined
    readonly lookupTimeout: number
    readonly signal: AbortSignal
  },
) => Promise<ReadonlyArray<string>>

/** The number of queries to each name server. */
const tries = 2

// RFC 6761 §6.3 and §6.4: the meaning of these names is known, so that no name server is queried
const knownAddresses = (hostname: string): ReadonlyArray<string> | undefined => {
  const top = hostname.toLowerCase().replace(/\.$/, '').split('.').at(-1)
  if (top === 'localhost') return ['127.0.0.1']
  return top === 'invalid' ? [] : undefined
}

/**
 * Whether the error is a name server's answer that the name has no address; other errors are failures of the lookup.
 */
const saysNoAddress = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(String(error.code))

const addressesIn = (results: ReadonlyArray<PromiseSettledResult<ReadonlyArray<string>>>): ReadonlyArray<string> => {
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  const errors = results.flatMap((result): ReadonlyArray<unknown> =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  const unanswered = errors.find((error) => !saysNoAddress(error))
  throw unanswered instanceof Error ? unanswered : new OutboundError('failed', 'the host has no address')
}

// RFC 8305 §3: some name servers do not answer for one kind of address, so that the other kind does not wait for it to
// time out
const ofBothKinds = async (
  resolver: dns.Resolver,
  hostname: string,
  patience: number,
): Promise<ReadonlyArray<PromiseSettledResult<ReadonlyArray<string>>>> => {
  const requested = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  let timer: NodeJS.Timeout | undefined
  const callOffLater = (): void => {
    timer ??= setTimeout(() => resolver.cancel(), patience)
  }
  for (const each of requested) each.then(callOffLater, () => undefined)
  try {
    return await Promise.allSettled(requested)
  } finally {
    clearTimeout(timer)
  }
}

/** All addresses of both kinds, or those of the kind that name servers answer for. */
export const lookUp: Lookup = async (hostname, { servers, lookupTimeout, signal }) => {
  const known = knownAddresses(hostname)
  if (known !== undefined) return known
  // A resolver for each lookup, because it can only be cancelled as a whole; its queries also have a source port of
  // their own.
  const resolver = new dns.Resolver({ timeout: lookupTimeout, tries })
  if (servers !== undefined) resolver.setServers(servers)
  const callOff = (): void => resolver.cancel()
  signal.throwIfAborted()
  signal.addEventListener('abort', callOff, { once: true })
  try {
    return addressesIn(await ofBothKinds(resolver, hostname, lookupTimeout))
  } finally {
    signal.removeEventListener('abort', callOff)
  }
}
