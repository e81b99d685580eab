import type { Encryption, Unavailable } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** What the present key makes of a sealed text: sealed anew, sealed by it already, or decrypted by no key. */
export type Resealed =
  { readonly kind: 'sealed'; readonly sealed: string } | { readonly kind: 'current' } | { readonly kind: 'unreadable' }

const unreadable: Resealed = { kind: 'unreadable' }
const current: Resealed = { kind: 'current' }

const openAndSeal = ({ open, seal }: Encryption, text: string, context: string): TE.TaskEither<Unavailable, Resealed> =>
  pipe(
    open(text, context),
    TE.flatMap((opened) =>
      O.isNone(opened)
        ? TE.right(unreadable)
        : pipe(
            seal(opened.value, context),
            TE.map((sealed): Resealed => ({ kind: 'sealed', sealed })),
          ),
    ),
  )

/** Seals the text with the present key. The context of an unreadable row is none. */
export const reseal = (
  encryption: Encryption,
  text: string,
  context: O.Option<string>,
): TE.TaskEither<Unavailable, Resealed> =>
  pipe(
    encryption.isCurrent(text),
    TE.flatMap((isCurrent) => {
      if (isCurrent) return TE.right(current)
      return O.isNone(context) ? TE.right(unreadable) : openAndSeal(encryption, text, context.value)
    }),
  )

/** Opens the text, also if the present key sealed it: for a check of a whole store. */
export const verifySealed = (
  encryption: Encryption,
  text: string,
  context: O.Option<string>,
): TE.TaskEither<Unavailable, Resealed> => {
  if (O.isNone(context)) return TE.right(unreadable)
  return pipe(
    encryption.isCurrent(text),
    TE.bindTo('isCurrent'),
    TE.bind('opened', () => encryption.open(text, context.value)),
    TE.map(({ isCurrent, opened }): Resealed => {
      if (O.isNone(opened)) return unreadable
      return isCurrent ? current : { kind: 'sealed', sealed: text }
    }),
  )
}
