import { type Language, messagesIn } from './messages/languages.js'
import type { Messages } from './messages/messages.js'
import type { ShownPage } from './page.js'
import { redirectRefusalText } from './redirect-refusal-text.js'

/** The input of a template, beside the style: finished values, so that templates contain no decisions. */
export type PageView = {
  readonly language: Language
  readonly direction: Messages['direction']
  readonly heading: string
  readonly text: Messages[ShownPage['kind']]
  readonly page: ShownPage
  readonly notice: string | undefined
  readonly more: string | undefined
  readonly folded: string | undefined
}

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

export const viewOf = (page: ShownPage, language: Language): PageView => {
  const messages = messagesIn[language]
  const text = messages[page.kind]
  return {
    language,
    direction: messages.direction,
    heading: text.heading,
    text,
    page,
    notice: 'notice' in page ? redirectRefusalText(page.notice, messages) : undefined,
    ...countsOf(page, messages),
  }
}
