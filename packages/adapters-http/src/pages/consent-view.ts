// The facts of a consent as sentences.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { ConsentWarning } from '@clientele/domain/provider'
import type { AllMessages, Language } from './messages/languages.js'
import type { Around } from './messages/around.js'
import type { ExplainedScope } from './messages/sign-in/sign-in-messages.js'
import type { ShownPage } from './page.js'
import type { ShownConsent } from './sign-in-page.js'

/** A sentence with the value in its place, if it has one; addresses are written from left to right. */
export type Sentence = { readonly text: Around; readonly value: string | undefined; readonly isAddress: boolean }

type ScopeOfResource = { readonly text: Around; readonly resource: string; readonly scope: ReadonlyArray<string> }

export type ConsentView = {
  readonly asks: Sentence | undefined
  readonly named: Sentence | undefined
  readonly verified: Sentence | undefined
  readonly otherHosts: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<Sentence>
  readonly changes: ReadonlyArray<string>
  readonly scope: ReadonlyArray<string>
  readonly resources: ReadonlyArray<ScopeOfResource>
  readonly consents: ReadonlyArray<
    ShownConsent & { readonly since: Sentence; readonly shownScope: ReadonlyArray<string> }
  >
}

/** For all other pages. */
export const noConsentView: ConsentView = {
  asks: undefined,
  named: undefined,
  verified: undefined,
  otherHosts: [],
  warnings: [],
  changes: [],
  scope: [],
  resources: [],
  consents: [],
}

type ConsentMessages = AllMessages['consent']

const isExplained = (scopes: ConsentMessages['scopes'], value: string): value is ExplainedScope =>
  Object.hasOwn(scopes, value)

const explained =
  ({ scopes }: ConsentMessages) =>
  (value: string): string =>
    isExplained(scopes, value) ? scopes[value] : value

const valueOf = (warning: ConsentWarning): string | undefined => {
  switch (warning.kind) {
    case 'looks_like':
      return warning.name
    case 'claims_status':
      return warning.word
    case 'private_use_scheme':
      return warning.scheme
    case 'loopback_only':
    case 'mixed_scripts':
      return undefined
  }
}

type ConsentPage = Extract<ShownPage, { kind: 'consent' }>

const identityView = (
  { application: { name }, facts: { identity, redirectHosts } }: ConsentPage,
  messages: ConsentMessages,
): Pick<ConsentView, 'asks' | 'named' | 'verified'> => {
  const [first] = redirectHosts
  const verified = identity.kind === 'verified'
  return {
    asks: { text: first?.kind === 'web' ? messages.asks : messages.asksOnDevice, value: first?.host, isAddress: true },
    named:
      name === undefined
        ? undefined
        : { text: verified ? messages.named : messages.claimed, value: name, isAddress: false },
    verified: verified ? { text: messages.verified, value: identity.host, isAddress: true } : undefined,
  }
}

export const consentView = (page: ConsentPage, { consent }: AllMessages): ConsentView => {
  const { redirectHosts, warnings, changes, scope, resources } = page.facts
  return {
    ...noConsentView,
    ...identityView(page, consent),
    otherHosts: redirectHosts.slice(1).map(({ host }) => host),
    warnings: warnings.map((warning) => ({
      text: consent.warnings[warning.kind],
      value: valueOf(warning),
      isAddress: warning.kind === 'private_use_scheme',
    })),
    changes: changes.map((change) => consent.changes[change]),
    scope: scope.map(explained(consent)),
    resources: Object.entries(resources).map(([resource, values]) => ({
      text: consent.resource,
      resource,
      scope: values.map(explained(consent)),
    })),
  }
}

const dateIn = (language: Language, at: EpochSeconds): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at * 1000)

export const consentsView = (
  page: Extract<ShownPage, { kind: 'consents' }>,
  { consent, consents }: AllMessages,
  language: Language,
): ConsentView => ({
  ...noConsentView,
  consents: page.consents.map((each) => ({
    ...each,
    since: { text: consents.since, value: dateIn(language, each.given_at), isAddress: false },
    shownScope: each.scope.map(explained(consent)),
  })),
})
