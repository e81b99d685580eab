import type { ClaimLoginAttemptPorts, ListConsentsPorts } from '@clientele/domain/operations'
import type { BudgetConsumption, Consents, EndUserClaims, EndUserLogin, Interactions } from '@clientele/domain/ports'
import type { ConsentPolicy } from '@clientele/domain/provider'
import type { HashText } from '@clientele/domain/authorization'
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
    readonly hashToken: HashText
    readonly renderPage: PageRenderer
  }
