import { fault } from '../../codec/fault.js'
import { isLoopback, originOf, uriParts } from '../uri.js'
import type { MetadataRule } from './rule.js'

const isHttpsOrLoopback = (uri: string): boolean => {
  const { scheme, host } = uriParts(uri)
  return scheme === 'https' || isLoopback(host)
}

// OpenID Front-Channel Logout §2: the scheme is https, and the origin is that of a redirection URI
export const frontchannelLogout: MetadataRule = {
  members: ['frontchannel_logout_uri', 'redirect_uris'],
  faultsOf: ({ frontchannel_logout_uri: uri, redirect_uris = [] }) => {
    if (uri === undefined) return []
    if (!isHttpsOrLoopback(uri)) return [fault('frontchannel-scheme')('frontchannel_logout_uri')]
    return redirect_uris.some((redirect) => originOf(redirect) === originOf(uri))
      ? []
      : [fault('frontchannel-origin')('frontchannel_logout_uri')]
  },
}
