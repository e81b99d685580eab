import type { Fault } from '../../codec/fault.js'
import { fault } from '../../codec/fault.js'
import type { RuleId } from '../../codec/rule-texts.js'
import { answerOfAuthorization, answerWithState, redirectUriFault } from '../redirect-uri.js'
import { uriFault } from '../uri.js'
import { maximumEntries } from '../value-types.js'
import type { MetadataRule } from './rule.js'

type ListOfUris = 'redirect_uris' | 'post_logout_redirect_uris' | 'claims_redirect_uris'

// So that one faulty URI does not hide what is wrong with the next, each entry that is a URI at all is judged. Whether it
// is one has been asked of all, and is asked again only where something is wrong.
export const faultsOfEach = (
  member: ListOfUris,
  sent: Readonly<Record<string, unknown>>,
  faultOf: (uri: string) => RuleId | undefined,
): ReadonlyArray<Fault> => {
  const entries: unknown = Object.hasOwn(sent, member) ? sent[member] : undefined
  return (Array.isArray(entries) ? entries.slice(0, maximumEntries) : []).flatMap((entry: unknown, index) => {
    if (typeof entry !== 'string') return []
    const rule = faultOf(entry)
    return rule === undefined || uriFault(entry) !== undefined ? [] : [fault(rule)(member, index)]
  })
}

// OpenID Registration §2, application_type; RFC 8252 §7
// Not held back by faulty grant_types: what is refused without the implicit grant is refused with it, too.
export const redirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: ({ application_type, grant_types }, { privateUseSchemes }, sent) =>
    faultsOfEach(
      'redirect_uris',
      sent,
      redirectUriFault({
        applicationType: application_type,
        implicit: grant_types.includes('implicit'),
        answer: answerOfAuthorization,
        schemes: privateUseSchemes,
      }),
    ),
}

// OpenID RP-Initiated Logout §3.1, UMA Grant §2: as redirection URIs, but no grant delivers tokens there
export const otherRedirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: ({ application_type }, { privateUseSchemes }, sent) => {
    const faultOf = redirectUriFault({
      applicationType: application_type,
      implicit: false,
      answer: answerWithState,
      schemes: privateUseSchemes,
    })
    return (['post_logout_redirect_uris', 'claims_redirect_uris'] as const).flatMap((member) =>
      faultsOfEach(member, sent, faultOf),
    )
  },
}
