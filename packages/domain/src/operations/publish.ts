import { namedGrantTypes } from '../authorization/registrant.js'
import { choiceLists, members } from '../client/members.js'
import { responseModes, responseTypes } from '../client/values.js'
import type { JsonObject, JsonValue } from '../kernel/json-object.js'
import { cryptographicMembers, listOfAlgorithms, listedAlgorithms, typesByPolicy } from '../policy/algorithms.js'
import type { RegistrationSettings } from '../registration/decide.js'

/** OpenID Discovery §3, RFC 8414 §2: the provider metadata that this service knows. */
export type ProviderMetadata = {
  readonly issuer: string
  readonly jwks_uri: string
  readonly registration_endpoint: string
  readonly end_session_endpoint?: string
  readonly [list: `${string}_supported`]: JsonValue
}

type Lists = Readonly<Record<string, ReadonlyArray<string>>>
type DescribedSettings = Pick<RegistrationSettings, 'policy' | 'abilities'>

// Methods, subject types and delivery modes: registration accepts them independently of the provider.
const otherLists = ({ policy }: DescribedSettings): Lists =>
  Object.fromEntries(
    choiceLists.flatMap((list) => {
      const member = members[list].listOf
      if (cryptographicMembers.some((each) => each === member)) return []
      const allowed = member === 'token_endpoint_auth_method' ? policy.allowed_token_endpoint_auth_methods : undefined
      return [[list, members[member].type.values.filter((value) => allowed?.includes(value) ?? true)]]
    }),
  )

const typeLists = ({ policy }: DescribedSettings): Lists => {
  const known = { grant_types: namedGrantTypes, response_types: responseTypes.values }
  const { grant_types, response_types } = typesByPolicy(policy, known)
  return { grant_types_supported: grant_types, response_types_supported: response_types }
}

// OpenID Discovery §3: the lists contain exactly the values that registration accepts.
const algorithmLists = (settings: DescribedSettings): Lists => {
  const listed = listedAlgorithms(settings)
  return Object.fromEntries(cryptographicMembers.map((member) => [listOfAlgorithms(member), listed(member)]))
}

/** Members that only this service determines. */
export const ownMembers = ['issuer', 'jwks_uri', 'registration_endpoint', 'end_session_endpoint'] as const

type EndSession = {
  readonly endpoint: string
  readonly backchannel: boolean
  /** The languages of the logout pages. */
  readonly uiLocales: ReadonlyArray<string>
}

// OpenID Discovery §3, Front-Channel Logout §3, Back-Channel Logout §2.1
const logoutMembers = (endSession: EndSession | undefined): Readonly<Record<`${string}_supported`, JsonValue>> =>
  endSession === undefined
    ? {}
    : {
        ui_locales_supported: endSession.uiLocales,
        frontchannel_logout_supported: true,
        frontchannel_logout_session_supported: true,
        backchannel_logout_supported: endSession.backchannel,
        backchannel_logout_session_supported: endSession.backchannel,
      }

const withoutOwn = (added: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(added).filter(([name]) => !ownMembers.some((own) => own === name)))

// RFC 8414 §2: claims with zero elements are left out
const withoutEmptyLists = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0))

/**
 * The lists contain the values that registration accepts. The provider may support less: its declared metadata takes
 * precedence, except for the members of this service. Values that no client may name are left out of its algorithm
 * lists.
 */
export const describeProvider = (
  settings: DescribedSettings & {
    readonly issuer: string
    readonly jwksUri: string
    readonly registrationEndpoint: string
    /** The end-session endpoint, if there is one, and whether logout tokens are sent. */
    readonly endSession: EndSession | undefined
  },
): ProviderMetadata => ({
  ...withoutEmptyLists({
    ...otherLists(settings),
    ...typeLists(settings),
    response_modes_supported: responseModes.values,
    ...logoutMembers(settings.endSession),
    ...withoutOwn(settings.abilities?.providerMetadata ?? {}),
    ...algorithmLists(settings),
  }),
  issuer: settings.issuer,
  jwks_uri: settings.jwksUri,
  registration_endpoint: settings.registrationEndpoint,
  ...(settings.endSession === undefined ? {} : { end_session_endpoint: settings.endSession.endpoint }),
})
