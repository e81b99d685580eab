import type { Requester } from '@clientele/domain'
import ipaddr from 'ipaddr.js'
import { parseAddress } from './ip-address.js'

// RFC 4291 §2.5.4: the subscriber chooses the last 64 bits of an IPv6 address
const networkOf = (text: string): string => {
  const address = parseAddress(text)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : (address?.toString() ?? text)
}

/** The name by which places are counted for a requester. */
export const holderOf = (requester: Requester): string => {
  switch (requester.kind) {
    case 'master':
      return 'master'
    case 'token':
      return `token ${requester.hash}`
    case 'nobody':
      return `address ${networkOf(requester.address ?? '')}`
  }
}
