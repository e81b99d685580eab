import type {
  BudgetConsumption,
  ClaimLoginAttemptPorts,
  ConsentPolicy,
  Consents,
  EndUserClaims,
  EndUserLogin,
  Interactions,
  ListConsentsPorts,
} from '@clientele/domain'
import type { HashToken } from '../logout/logout-ports.js'
import type { PageRenderer } from '../pages/rendered-page.js'

/** The ports of the pages of login and consent, and of `/consents`. */
export type SignInPorts = Interactions &
  Pick<Consents, 'findConsent' | 'removeConsent'> &
  ListConsentsPorts &
  ClaimLoginAttemptPorts &
  Partial<BudgetConsumption> &
  EndUserClaims & {
    readonly login: EndUserLogin
    readonly consentPolicy: ConsentPolicy
    readonly hashToken: HashToken
    readonly renderPage: PageRenderer
  }
