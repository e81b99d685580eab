import type { Fault } from '../../codec/fault.js'
import { fault } from '../../codec/fault.js'
import type { RuleId } from '../../codec/rule-texts.js'
import { usesRedirects } from '../client-metadata.js'
import { maximumEntries } from '../members.js'
import { redirectUriFault } from '../redirect-uri.js'
import { uriFault } from '../uri.js'
import type { MetadataRule } from './rule.js'

const isSoundUri = (entry: unknown): entry is string => typeof entry === 'string' && uriFault(entry) === undefined

// So that one faulty URI does not hide what is wrong with the next, each entry that is a URI at all is judged.
const faultsOfEach = (
  member: 'redirect_uris' | 'post_logout_redirect_uris',
  sent: Readonly<Record<string, unknown>>,
  faultOf: (uri: string) => RuleId | undefined,
): ReadonlyArray<Fault> => {
  const entries: unknown = Object.hasOwn(sent, member) ? sent[member] : undefined
  return (Array.isArray(entries) ? entries.slice(0, maximumEntries) : []).flatMap((entry: unknown, index) => {
    const rule = isSoundUri(entry) ? faultOf(entry) : undefined
    return rule === undefined ? [] : [fault(rule)(member, index)]
  })
}

// OpenID Registration §2, application_type; RFC 8252 §7
// Not held back by faulty grant_types: what is refused without the implicit grant is refused with it, too.
export const redirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: ({ application_type, grant_types }, sent) =>
    faultsOfEach('redirect_uris', sent, redirectUriFault(application_type, grant_types.includes('implicit'))),
}

// RFC 7591 §2: clients of redirect-based flows must register their redirection URIs
export const redirectUrisRequired: MetadataRule = {
  members: ['redirect_uris', 'grant_types'],
  faultsOf: ({ redirect_uris = [], grant_types }) =>
    usesRedirects(grant_types) && redirect_uris.length === 0 ? [fault('redirect-uris-required')('redirect_uris')] : [],
}

// OpenID RP-Initiated Logout §3.1: as redirection URIs, but no grant delivers tokens there
export const postLogoutRedirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: ({ application_type }, sent) =>
    faultsOfEach('post_logout_redirect_uris', sent, redirectUriFault(application_type, false)),
}
