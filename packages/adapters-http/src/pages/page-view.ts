import type { ShownEndUser } from '@clientele/domain/provider'
import { type ConsentView, consentView, consentsView, noConsentView } from './consent-view.js'
import { type AllMessages, type Language, messagesIn } from './messages/languages.js'
import type { Around } from './messages/around.js'
import type { ShownPage } from './page.js'
import { redirectRefusalText } from './redirect-refusal-text.js'
import type { Service } from './service.js'

/** The input of a template, beside the style: finished values, so that templates contain no decisions. */
export type PageView = {
  readonly language: Language
  readonly direction: AllMessages['direction']
  readonly heading: string
  readonly text: AllMessages[ShownPage['kind']]
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

const countsOf = (page: ShownPage, messages: AllMessages): Pick<PageView, 'more' | 'folded'> => {
  if (page.kind !== 'dialog' && page.kind !== 'signed_out') return { more: undefined, folded: undefined }
  const count = page.applications.length + page.more
  return {
    more: page.more > 0 ? messages.more(page.more) : undefined,
    folded: count > maxUnfolded ? messages[page.kind].manyApplications(count) : undefined,
  }
}

/** Pages that ask something have an answer that goes on; the base URL is where the others lead. */
const question: ReadonlyArray<ShownPage['kind']> = ['dialog', 'login', 'consent', 'home']

const linksOf = (page: ShownPage, messages: AllMessages): Pick<PageView, 'onward' | 'again' | 'signedIn'> => ({
  onward: question.includes(page.kind) ? undefined : messages.onward,
  again:
    'again' in page && page.again !== undefined
      ? { text: page.kind === 'not_permitted' ? messages.not_permitted.otherAccount : messages.again, uri: page.again }
      : undefined,
  signedIn: 'user' in page && page.user !== undefined ? { text: messages.signedInAs, user: page.user } : undefined,
})

const factsOf = (page: ShownPage, messages: AllMessages, language: Language): ConsentView => {
  if (page.kind === 'consent') return consentView(page, messages)
  return page.kind === 'consents' ? consentsView(page, messages, language) : noConsentView
}

export const viewOf = (page: ShownPage, language: Language, service: Service | undefined): PageView => {
  const messages = messagesIn[language]
  const text = messages[page.kind]
  return {
    language,
    direction: messages.direction,
    heading: text.heading,
    text,
    page,
    notice: 'notice' in page ? redirectRefusalText(page.notice, messages) : undefined,
    service,
    ...countsOf(page, messages),
    ...linksOf(page, messages),
    ...factsOf(page, messages, language),
  }
}
