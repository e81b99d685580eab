import type { ShownPage } from './page.js'

/** A page, and the texts that its HTML must contain, so that it can be answered and applications are notified. */
export type SamplePage = { readonly page: ShownPage; readonly holds: ReadonlyArray<string> }
