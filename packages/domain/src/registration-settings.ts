import type { RegistrationMode } from './authorization/authorize-registrant.js'
import type { CredentialPolicy } from './client/registered-client.js'
import { allRules } from './client/rules/all-rules.js'
import type { RuleBook } from './client/rules/rule.js'
import { policyRules } from './policy/policy-rules.js'
import type { RegistrationPolicy } from './policy/registration-policy.js'

/** What the operator decides about registration. The endpoint is an absolute URL without a trailing slash. */
export type RegistrationSettings = {
  readonly mode: RegistrationMode
  readonly policy: RegistrationPolicy
  readonly credentials: CredentialPolicy
  readonly registrationEndpoint: string
  /** The identifier of this service: a software statement that names an audience means it. */
  readonly issuer: string
  /** Whether sector identifier URIs are fetched; they are refused otherwise. */
  readonly outboundFetches: boolean
  /** Seconds that an initial access token lives when its request does not say. */
  readonly initialAccessTokenLifetime: number
}

export const ruleBook = (settings: Pick<RegistrationSettings, 'policy' | 'outboundFetches'>): RuleBook => ({
  rules: [...allRules, ...policyRules(settings.policy)],
  fetchesSectorIdentifiers: settings.outboundFetches,
})
