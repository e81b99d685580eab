import type { RegistrationMode } from '../authorization/authorize-registrant.js'
import { knownPrivateUseSchemes } from '../client/private-use-scheme.js'
import type { CredentialPolicy } from './registered-client.js'
import { allRules } from '../client/rules/all-rules.js'
import type { RuleBook } from '../client/rules/rule.js'
import { policyRules } from '../policy/policy-rules.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'
import {
  type Abilities,
  abilityRules,
  cryptographicMembers,
  isCryptographicMember,
  supportedAlgorithms,
} from '../policy/supported-algorithms.js'

/** What the operator decides about registration. The endpoint is an absolute URL without a trailing slash. */
export type RegistrationSettings = {
  readonly mode: RegistrationMode
  readonly policy: RegistrationPolicy
  readonly credentials: CredentialPolicy
  readonly registrationEndpoint: string
  /** The identifier of this service: a software statement that names an audience means it. */
  readonly issuer: string
  /** Whether the service reaches out: sector identifier URIs are refused otherwise, and no logout token is sent. */
  readonly outboundFetches: boolean
  /** Whether it connects to the address. Where this is left out, no registration is warned of its addresses. */
  readonly allowsAddress?: (address: string) => boolean
  /** What can be signed and decrypted. Where this is left out, every algorithm that is known is taken. */
  readonly abilities?: Abilities
  /** Seconds that an initial access token lives when its request does not say. */
  readonly initialAccessTokenLifetime: number
}

/** What registration does where the operator sets nothing else; seconds throughout. */
export const defaultRegistration: Pick<RegistrationSettings, 'credentials' | 'initialAccessTokenLifetime'> = {
  credentials: {
    clientSecretLifetime: 0,
    rotateRegistrationAccessTokenOnUpdate: true,
    rotateClientSecretOnUpdate: true,
  },
  initialAccessTokenLifetime: 3600,
}

/** What the rules of a service depend on. */
export type JudgingSettings = Pick<RegistrationSettings, 'policy' | 'outboundFetches' | 'abilities'>

export const ruleBook = (settings: JudgingSettings): RuleBook => {
  const supported = supportedAlgorithms(settings)
  const supportedBy = new Map(cryptographicMembers.map((member) => [member, new Set(supported(member))]))
  return {
    rules: [...allRules, ...abilityRules(settings), ...policyRules(settings.policy)],
    fetchesSectorIdentifiers: settings.outboundFetches,
    privateUseSchemes: new Set(settings.policy.allowed_private_use_schemes ?? knownPrivateUseSchemes),
    isSupported: (member, value) => !isCryptographicMember(member) || supportedBy.get(member)?.has(value) === true,
  }
}
