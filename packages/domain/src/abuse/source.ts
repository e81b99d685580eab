// The source of a request: the unit that shares a budget. A subscriber of IPv6 chooses among the addresses of a /64, so
// that only its network tells it from others; and among the /64 of a /56 or a /48 (RFC 6177 §2), so that these together
// are bounded as well.
import { isIpAddress } from '../codec/ip-address.js'

export interface Source {
  /** An IPv4 address, the /64 of an IPv6 address, or `unknown` for all that is no address. */
  readonly name: string
  /** What one party may have of such sources: the /24 of an IPv4 address, the /48 of an IPv6 address. */
  readonly network: string
}

/** An end-user, or the document of a client, whose work is not counted by an address. */
export const sourceNamed = (kind: 'end-user' | 'document', name: string): Source => ({
  name: `${kind} ${name}`,
  network: `${kind} ${name}`,
})

const unknown: Source = { name: 'unknown', network: 'unknown' }

const hextetsIn = (half: string): ReadonlyArray<number> =>
  half === ''
    ? []
    : half.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      })

// RFC 4291 §2.2: the run of zeros that "::" leaves out
const hextetsOf = (address: string): ReadonlyArray<number> => {
  const [before = '', after] = address.split('::')
  const head = hextetsIn(before)
  if (after === undefined) return head
  const tail = hextetsIn(after)
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

const octetsOf = (hextet: number): ReadonlyArray<number> => [hextet >> 8, hextet & 255]

// RFC 4291 §2.5.5.2: IPv4 at a socket of IPv6; §2.5.4: the last 64 bits are those of the interface
const mapped = [0, 0, 0, 0, 0, 0xffff]

const ofIpv4 = (address: string): Source => ({
  name: address,
  network: `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
})

const prefixOf = (hextets: ReadonlyArray<number>, bits: 48 | 64): string =>
  `${hextets
    .slice(0, bits / 16)
    .map((each) => each.toString(16))
    .join(':')}::/${bits}`

const ofIpv6 = (hextets: ReadonlyArray<number>): Source =>
  mapped.every((each, place) => hextets[place] === each)
    ? ofIpv4(hextets.slice(mapped.length).flatMap(octetsOf).join('.'))
    : { name: prefixOf(hextets, 64), network: prefixOf(hextets, 48) }

// RFC 4007 §11: the zone is of this machine, and not of the sender.
const withoutZone = (address: string): string => {
  const at = address.indexOf('%')
  return at > 0 && address.includes(':') ? address.slice(0, at) : address
}

/** Total: what is no address, or missing, shares one source. */
export const sourceOf = (address: string | undefined): Source => {
  const plain = withoutZone(address ?? '')
  if (!isIpAddress(plain)) return unknown
  return plain.includes(':') ? ofIpv6(hextetsOf(plain)) : ofIpv4(plain)
}
