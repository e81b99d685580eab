// What the templates show: finished values, and sentences in the language of the page.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { PostLogoutRedirectRefusal } from '@clientele/domain/logout'
import type { ConsentWarning, ShownEndUser } from '@clientele/domain/provider'
import { type Language, messagesIn } from './messages/languages.js'
import type { Messages } from './messages/en.js'
import type { Around } from './messages/sentences.js'
import type { DeveloperPage, Service, ShownConsent, ShownPage } from './page.js'

type Reason = keyof Messages['redirectRefusal']

// Pages give less detail than the log: faults of the same kind share a sentence.
const reasons: Readonly<Record<PostLogoutRedirectRefusal, Reason | undefined>> = {
  not_asked: undefined,
  no_hint: 'unidentified',
  hint_audience: 'unidentified',
  client_suspended: 'unidentified',
  hint_too_long: 'unverified',
  hint_malformed: 'unverified',
  hint_undecryptable: 'unverified',
  hint_algorithm: 'unverified',
  hint_unknown_key: 'unverified',
  hint_bad_signature: 'unverified',
  hint_not_an_id_token: 'unverified',
  hint_other_issuer: 'unverified',
  hint_not_yet_issued: 'unverified',
  hint_too_old: 'outdated',
  hint_other_client: 'contradictory',
  hint_before_registration: 'unverified',
  repeated_parameter: 'contradictory',
  other_user: 'otherUser',
  other_session: 'otherSession',
  unregistered_uri: 'address',
  refused_uri: 'address',
}

/** The sentence for the page; undefined where no redirect was requested. */
export const redirectRefusalText = (
  notice: PostLogoutRedirectRefusal | undefined,
  { redirectRefusal }: Messages,
): string | undefined => {
  const reason = notice === undefined ? undefined : reasons[notice]
  return reason === undefined ? undefined : redirectRefusal[reason]
}

/** A sentence with the value in its place, if it has one; addresses are written from left to right. */
type Sentence = { readonly text: Around; readonly value: string | undefined; readonly isAddress: boolean }

type ScopeOfResource = { readonly text: Around; readonly resource: string; readonly scope: ReadonlyArray<string> }

/** The facts of a consent, as sentences. */
type ConsentView = {
  readonly asks: Sentence | undefined
  readonly named: Sentence | undefined
  readonly verified: Sentence | undefined
  readonly otherHosts: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<Sentence>
  readonly changes: ReadonlyArray<string>
  readonly scope: ReadonlyArray<string>
  readonly resources: ReadonlyArray<ScopeOfResource>
  readonly consents: ReadonlyArray<
    ShownConsent & {
      readonly since: Sentence
      readonly lastUse: Sentence | undefined
      readonly shownScope: ReadonlyArray<string>
      readonly scopeOfResources: ReadonlyArray<ScopeOfResource>
    }
  >
}

/** For all other pages. */
const noConsentView: ConsentView = {
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

type ConsentMessages = Messages['consent']

const isExplained = (scopes: ConsentMessages['scopes'], value: string): value is keyof ConsentMessages['scopes'] =>
  Object.hasOwn(scopes, value)

const explained =
  ({ scopes }: ConsentMessages) =>
  (value: string): string =>
    isExplained(scopes, value) ? scopes[value] : value

const scopeOfResources = (
  messages: ConsentMessages,
  resources: Readonly<Record<string, ReadonlyArray<string>>>,
): ReadonlyArray<ScopeOfResource> =>
  Object.entries(resources).map(([resource, values]) => ({
    text: messages.resource,
    resource,
    scope: values.map(explained(messages)),
  }))

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
  const named = { verified: messages.named, registered: messages.registered, claimed: messages.claimed }[identity.kind]
  return {
    asks: { text: first?.kind === 'web' ? messages.asks : messages.asksOnDevice, value: first?.host, isAddress: true },
    named: name === undefined ? undefined : { text: named, value: name, isAddress: false },
    verified:
      identity.kind === 'verified' ? { text: messages.verified, value: identity.host, isAddress: true } : undefined,
  }
}

const consentView = (page: ConsentPage, { consent }: Messages): ConsentView => {
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
    resources: scopeOfResources(consent, resources),
  }
}

const dateIn = (language: Language, at: EpochSeconds): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at * 1000)

const consentsView = (
  page: Extract<ShownPage, { kind: 'consents' }>,
  { consent, consents }: Messages,
  language: Language,
): ConsentView => ({
  ...noConsentView,
  consents: page.consents.map((each) => ({
    ...each,
    since: { text: consents.since, value: dateIn(language, each.begun_at), isAddress: false },
    lastUse:
      each.last_use === undefined
        ? undefined
        : { text: consents.lastUse, value: dateIn(language, each.last_use), isAddress: false },
    shownScope: each.scope.map(explained(consent)),
    scopeOfResources: scopeOfResources(consent, each.resources),
  })),
})

/** The input of a template, beside the style: finished values, so that templates contain no decisions. */
type PageView = {
  readonly language: Language
  readonly direction: Messages['direction']
  readonly heading: string
  /** Undefined for pages in English alone. */
  readonly text: Messages[Exclude<ShownPage['kind'], DeveloperPage['kind']>] | undefined
  readonly page: ShownPage
  readonly notice: string | undefined
  readonly more: string | undefined
  readonly folded: string | undefined
  readonly service: Service | undefined
  readonly signedIn: { readonly text: Around; readonly user: ShownEndUser } | undefined
  readonly onward: Around | undefined
  readonly again: { readonly text: string; readonly uri: string } | undefined
} & ConsentView

/** More names would push the buttons off the screen of a phone. */
const maxUnfolded = 5

const countsOf = (page: ShownPage, messages: Messages): Pick<PageView, 'more' | 'folded'> => {
  if (page.kind !== 'dialog' && page.kind !== 'signed_out') return { more: undefined, folded: undefined }
  const count = page.applications.length + page.more
  return {
    more: page.more > 0 ? messages.more(page.more) : undefined,
    folded: count > maxUnfolded ? messages[page.kind].manyApplications(count) : undefined,
  }
}

/** Pages that ask something have an answer that goes on; the base URL is where the others lead. */
const question: ReadonlyArray<ShownPage['kind']> = ['dialog', 'login', 'choose_login', 'consent', 'home']

const linksOf = (page: ShownPage, messages: Messages): Pick<PageView, 'onward' | 'again' | 'signedIn'> => ({
  onward: question.includes(page.kind) ? undefined : messages.onward,
  again:
    'again' in page && page.again !== undefined
      ? { text: page.kind === 'not_permitted' ? messages.not_permitted.otherAccount : messages.again, uri: page.again }
      : undefined,
  signedIn: 'user' in page && page.user !== undefined ? { text: messages.signedInAs, user: page.user } : undefined,
})

const factsOf = (page: ShownPage, messages: Messages, language: Language): ConsentView => {
  if (page.kind === 'consent') return consentView(page, messages)
  return page.kind === 'consents' ? consentsView(page, messages, language) : noConsentView
}

const textOf = <Text extends { readonly heading: string }>(text: Text) => ({ heading: text.heading, text })

export const viewOf = (page: ShownPage, language: Language, service: Service | undefined): PageView => {
  const messages = messagesIn[language]
  const own = 'heading' in page ? { heading: page.heading, text: undefined } : textOf(messages[page.kind])
  return {
    language,
    direction: messages.direction,
    ...own,
    page,
    notice: 'notice' in page ? redirectRefusalText(page.notice, messages) : undefined,
    service,
    ...countsOf(page, messages),
    ...linksOf(page, messages),
    ...factsOf(page, messages, language),
  }
}
