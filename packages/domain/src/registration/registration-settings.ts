import type { RegistrationMode } from '../authorization/authorize-registrant.js'
import { knownPrivateUseSchemes } from '../client/private-use-scheme.js'
import type { CredentialPolicy } from './registered-client.js'
import { allRules } from '../client/rules/all-rules.js'
import type { RuleBook } from '../client/rules/rule.js'
import { policyRules } from '../policy/policy-rules.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'
import { type Abilities, abilityRules, supportedValues } from '../policy/supported-algorithms.js'

/** The operator's settings for registration. The endpoint is an absolute URL without a trailing slash. */
export type RegistrationSettings = {
  readonly mode: RegistrationMode
  readonly policy: RegistrationPolicy
  readonly credentials: CredentialPolicy
  readonly registrationEndpoint: string
  /** The identifier of this service, for the audience of software statements. */
  readonly issuer: string
  /** Whether the service sends requests. If not, sector identifier URIs are refused and no logout token is sent. */
  readonly outboundFetches: boolean
  /** Whether an authorization server here uses the key sets at jwks_uri. Without this, they are not read here. */
  readonly readsKeySets?: boolean
  /**
   * Whether the service connects to the address. Without this function, registrations get no warnings about addresses.
   */
  readonly allowsAddress?: (address: string) => boolean
  /** The supported algorithms. Without them, every known algorithm is accepted. */
  readonly abilities?: Abilities
  /** Whether PUT, PATCH and DELETE must name the version of the client that they change (RFC 6585 §3); no, unless it is set. */
  readonly requiresIfMatch?: boolean
  /** The default lifetime of initial access tokens, in seconds. */
  readonly initialAccessTokenLifetime: number
}

/** The defaults of registration, in seconds. */
export const defaultRegistration: Pick<RegistrationSettings, 'credentials' | 'initialAccessTokenLifetime'> = {
  credentials: {
    clientSecretLifetime: 0,
    rotateRegistrationAccessTokenOnUpdate: true,
    registrationAccessTokenGrace: 3600,
    rotateClientSecretOnUpdate: true,
  },
  initialAccessTokenLifetime: 3600,
}

/** The settings that the rules depend on. */
export type JudgingSettings = Pick<RegistrationSettings, 'policy' | 'outboundFetches' | 'abilities'>

export const ruleBook = (settings: JudgingSettings): RuleBook => ({
  rules: [...allRules, ...abilityRules(settings), ...policyRules(settings.policy)],
  fetchesSectorIdentifiers: settings.outboundFetches,
  privateUseSchemes: new Set(settings.policy.allowed_private_use_schemes ?? knownPrivateUseSchemes),
  isSupported: supportedValues(settings),
  replacesWebType: settings.policy.replace_contradicted_application_type ?? false,
})
