import type { Option } from 'fp-ts/lib/Option.js'

/** Supplied by whoever opens the store: what is sealed under a context opens only under the same context. */
export type Sealing = {
  readonly seal: (plain: string, context: string) => string
  readonly open: (sealed: string, context: string) => Option<string>
}
