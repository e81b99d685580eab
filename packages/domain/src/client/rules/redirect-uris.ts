import { type Fault, fault } from '../../codec/fault.js'
import type { RuleId } from '../../codec/rule-texts.js'
import { answerOfAuthorization, answerWithState, redirectUriFault } from '../redirect-uri.js'
import { uriFault } from '../uri.js'
import { maxEntries } from '../value-types.js'
import type { ClientMetadata } from '../client-metadata.js'
import { type NameWith, redirectMembers } from '../members.js'
import type { InvalidMembers } from '../read-members.js'
import type { MetadataRule } from './rule.js'

type ListOfUris = NameWith<'redirects'>

const entriesOf = (
  member: ListOfUris,
  metadata: Pick<ClientMetadata, ListOfUris>,
  invalid: InvalidMembers,
): ReadonlyArray<unknown> => {
  const entries: unknown = metadata[member] ?? invalid[member]
  return Array.isArray(entries) ? entries.slice(0, maxEntries) : []
}

// Each entry that is a URI is judged, also in a list with other faults, so that all faults are reported at once. Only a
// list with faults needs the check whether an entry is a URI.
export const faultsOfEach =
  (metadata: Pick<ClientMetadata, ListOfUris>, invalid: InvalidMembers) =>
  (member: ListOfUris, faultOf: (uri: string) => RuleId | undefined): ReadonlyArray<Fault> =>
    entriesOf(member, metadata, invalid).flatMap((entry, index) => {
      if (typeof entry !== 'string') return []
      const rule = faultOf(entry)
      return rule === undefined || uriFault(entry) !== undefined ? [] : [fault(rule)(member, index)]
    })

// OpenID Registration §2, application_type; RFC 8252 §7. Invalid grant_types do not suppress this rule: it refuses no
// URI without the implicit grant that it accepts with it.
export const redirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: (metadata, { privateUseSchemes, invalid }) =>
    faultsOfEach(metadata, invalid)(
      'redirect_uris',
      redirectUriFault({
        applicationType: metadata.application_type,
        implicit: metadata.grant_types.includes('implicit'),
        answer: answerOfAuthorization,
        schemes: privateUseSchemes,
      }),
    ),
}

const otherMembers = redirectMembers.filter((member) => member !== 'redirect_uris')

// OpenID RP-Initiated Logout §3.1, UMA Grant §2: the rules of redirection URIs, but no grant delivers tokens to them
export const otherRedirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: (metadata, { privateUseSchemes, invalid }) => {
    const faultOf = redirectUriFault({
      applicationType: metadata.application_type,
      implicit: false,
      answer: answerWithState,
      schemes: privateUseSchemes,
    })
    return otherMembers.flatMap((member) => faultsOfEach(metadata, invalid)(member, faultOf))
  },
}
