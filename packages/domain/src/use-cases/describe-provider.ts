import type { JsonObject, JsonValue } from '../codec/json-object.js'
import { chosenMembers, knownValues, listOfMember } from '../client/members/choice-members.js'
import { responseModes, responseTypes } from '../client/value-types.js'
import { namedGrantTypes } from '../authorization/registration-scope.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import {
  cryptographicMembers,
  isCryptographicMember,
  listOfAlgorithms,
  supportedAlgorithms,
} from '../policy/supported-algorithms.js'

/** OpenID Discovery §3, RFC 8414 §2: what of the provider metadata this service knows. */
export type ProviderMetadata = {
  readonly issuer: string
  readonly jwks_uri: string
  readonly registration_endpoint: string
  readonly end_session_endpoint?: string
  readonly [list: `${string}_supported`]: JsonValue
}

type Lists = Readonly<Record<string, ReadonlyArray<string>>>
type DescribedSettings = Pick<RegistrationSettings, 'policy' | 'abilities'>

// Methods, subject types and delivery modes: registration takes them, whatever the provider beside this service does.
const otherLists = ({ policy }: DescribedSettings): Lists =>
  Object.fromEntries(
    chosenMembers
      .filter((member) => !isCryptographicMember(member))
      .map((member) => {
        const allowed = member === 'token_endpoint_auth_method' ? policy.allowed_token_endpoint_auth_methods : undefined
        return [listOfMember[member], knownValues(member).filter((value) => allowed?.includes(value) ?? true)]
      }),
  )

// OpenID Discovery §3: what is listed is what registration takes, and the other way round.
const algorithmLists = (settings: DescribedSettings): Lists =>
  Object.fromEntries(
    cryptographicMembers.map((member) => [listOfAlgorithms(member), supportedAlgorithms(settings)(member)]),
  )

/** Members that only this service knows: nobody may tell them otherwise. */
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

/**
 * The lists tell what registration accepts; the provider beside this service may support less, and what it says of itself wins,
 * but for the members that are this service's own. Of its lists of algorithms, what no client may name is left out.
 */
export const describeProvider = (
  settings: DescribedSettings & {
    readonly issuer: string
    readonly jwksUri: string
    readonly registrationEndpoint: string
    /** The end-session endpoint, if there is one, and whether logout tokens are sent from it. */
    readonly endSession: EndSession | undefined
  },
): ProviderMetadata => ({
  ...otherLists(settings),
  grant_types_supported: namedGrantTypes,
  response_types_supported: responseTypes.values,
  response_modes_supported: responseModes.values,
  ...logoutMembers(settings.endSession),
  ...withoutOwn(settings.abilities?.providerMetadata ?? {}),
  ...algorithmLists(settings),
  issuer: settings.issuer,
  jwks_uri: settings.jwksUri,
  registration_endpoint: settings.registrationEndpoint,
  ...(settings.endSession === undefined ? {} : { end_session_endpoint: settings.endSession.endpoint }),
})
