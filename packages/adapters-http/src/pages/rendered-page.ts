import type { Language } from './messages/languages.js'
import type { ShownPage } from './page.js'

export type RenderedPage = {
  readonly html: string
  /**
   * `sha256-…` of the one inline style, for `style-src`. The only other exception of the policy are the frames of
   * `signed_out`.
   */
  readonly styleHash: string
}

export type PageRenderer = (page: ShownPage, language: Language) => RenderedPage
