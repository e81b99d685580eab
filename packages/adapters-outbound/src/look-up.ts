// The addresses of a name, asked of name servers by c-ares. The lookup of the operating system could not be called off, and all
// of the process would share the few threads that it has.
import { promises as dns } from 'node:dns'
import { OutboundError } from './outbound-failure.js'

export type LookupOptions = {
  readonly servers: ReadonlyArray<string> | undefined
  readonly lookupTimeout: number
  /** Ends the lookup when it aborts. */
  readonly signal: AbortSignal
}

export type Lookup = (hostname: string, options: LookupOptions) => Promise<ReadonlyArray<string>>

/** So often each name server is asked. */
const tries = 2

// RFC 6761 §6.3 and §6.4: what these names mean is known, and no name server is asked for them
const knownAddresses = (hostname: string): ReadonlyArray<string> | undefined => {
  const top = hostname.toLowerCase().replace(/\.$/, '').split('.').at(-1)
  if (top === 'localhost') return ['127.0.0.1']
  return top === 'invalid' ? [] : undefined
}

/** What name servers say of a name that has no address; everything else says that they cannot tell. */
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

// RFC 8305 §3: some name servers are silent about one kind of address, and the other kind must not wait for it to the end
const ofBothKinds = async (
  resolver: dns.Resolver,
  hostname: string,
  patience: number,
): Promise<ReadonlyArray<PromiseSettledResult<ReadonlyArray<string>>>> => {
  const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  let timer: NodeJS.Timeout | undefined
  const callOffLater = (): void => {
    timer ??= setTimeout(() => resolver.cancel(), patience)
  }
  for (const each of asked) each.then(callOffLater, () => undefined)
  try {
    return await Promise.allSettled(asked)
  } finally {
    clearTimeout(timer)
  }
}

/** Every address of either kind; where name servers tell one kind only, those. */
export const lookUp: Lookup = async (hostname, { servers, lookupTimeout, signal }) => {
  const known = knownAddresses(hostname)
  if (known !== undefined) return known
  // One for each lookup, because it can be called off only as a whole; so its questions also come from ports of their own.
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
