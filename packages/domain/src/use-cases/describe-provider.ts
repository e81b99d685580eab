import type { JsonObject, JsonValue } from '../codec/json-object.js'
import { chosenMembers, knownValues, listOfMember } from '../client/members/choice-members.js'
import { responseTypes } from '../client/value-types.js'
import { namedGrantTypes } from '../authorization/registration-scope.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'

/** OpenID Discovery §3, RFC 8414 §2: what of the provider metadata this service knows. */
export type ProviderMetadata = {
  readonly issuer: string
  readonly jwks_uri: string
  readonly registration_endpoint: string
  readonly end_session_endpoint?: string
  readonly [list: `${string}_supported`]: JsonValue
}

const allowedBy = (policy: RegistrationPolicy, member: string): ReadonlyArray<string> | undefined => {
  if (member === 'token_endpoint_auth_method') return policy.allowed_token_endpoint_auth_methods
  return /_(?:alg|enc)$/.test(member) ? policy.allowed_algorithms : undefined
}

const acceptedLists = (policy: RegistrationPolicy): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    chosenMembers.map((member) => {
      const allowed = allowedBy(policy, member)
      return [listOfMember[member], knownValues(member).filter((value) => allowed?.includes(value) ?? true)]
    }),
  )

/** Members that only this service knows: nobody may tell them otherwise. */
export const ownMembers = ['issuer', 'jwks_uri', 'registration_endpoint', 'end_session_endpoint'] as const

type EndSession = { readonly endpoint: string; readonly backchannel: boolean }

// OpenID Front-Channel Logout §3, Back-Channel Logout §2.1
const logoutMembers = (endSession: EndSession | undefined): Readonly<Record<`${string}_supported`, boolean>> =>
  endSession === undefined
    ? {}
    : {
        frontchannel_logout_supported: true,
        frontchannel_logout_session_supported: true,
        backchannel_logout_supported: endSession.backchannel,
        backchannel_logout_session_supported: endSession.backchannel,
      }

const withoutOwn = (added: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(added).filter(([name]) => !ownMembers.some((own) => own === name)))

/**
 * The lists tell what registration accepts; the provider beside this service may support less, and what it adds wins, but for
 * the members that are this service's own.
 */
export const describeProvider = (
  settings: {
    readonly issuer: string
    readonly jwksUri: string
    readonly registrationEndpoint: string
    readonly policy: RegistrationPolicy
    /** The end-session endpoint, if there is one, and whether logout tokens are sent from it. */
    readonly endSession: EndSession | undefined
  },
  added: JsonObject,
): ProviderMetadata => ({
  ...acceptedLists(settings.policy),
  grant_types_supported: namedGrantTypes,
  response_types_supported: responseTypes.values,
  ...logoutMembers(settings.endSession),
  ...withoutOwn(added),
  issuer: settings.issuer,
  jwks_uri: settings.jwksUri,
  registration_endpoint: settings.registrationEndpoint,
  ...(settings.endSession === undefined ? {} : { end_session_endpoint: settings.endSession.endpoint }),
})
