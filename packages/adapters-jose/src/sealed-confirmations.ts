import { type EpochSeconds, type LogoutConfirmations, OfferedConfirmation } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ConfirmationCiphers, createSealedTexts } from './sealed-texts.js'

const decoded = (text: string): O.Option<OfferedConfirmation> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((json) => O.fromEither(OfferedConfirmation.decode(json))),
  )

/** The values of logout confirmation pages as sealed text in the form. */
export const createSealedConfirmations = (
  ciphers: ConfirmationCiphers,
  now: () => EpochSeconds,
): LogoutConfirmations => {
  const { sealText, openText } = createSealedTexts(ciphers, 'logout confirmations', now)
  return {
    sealConfirmation: (confirmation) => sealText(JSON.stringify(OfferedConfirmation.encode(confirmation))),
    openConfirmation: (value) => pipe(openText(value), T.map(O.flatMap(decoded))),
  }
}
