import { chosenMembers, knownValues, listOfMember } from '../client/members/choice-members.js'
import { responseTypes } from '../client/value-types.js'
import { namedGrantTypes } from '../authorization/registration-scope.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'

/** OpenID Discovery §3, RFC 8414 §2: what of the provider metadata this service knows. */
export type ProviderMetadata = {
  readonly issuer: string
  readonly registration_endpoint: string
  readonly [list: `${string}_supported`]: ReadonlyArray<string>
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

/** The lists tell what registration accepts; the provider beside this service may support less. */
export const describeProvider = (settings: {
  readonly issuer: string
  readonly registrationEndpoint: string
  readonly policy: RegistrationPolicy
}): ProviderMetadata => ({
  issuer: settings.issuer,
  registration_endpoint: settings.registrationEndpoint,
  ...acceptedLists(settings.policy),
  grant_types_supported: namedGrantTypes,
  response_types_supported: responseTypes.values,
})
