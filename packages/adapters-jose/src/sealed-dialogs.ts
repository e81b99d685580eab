import { type EpochSeconds, type LogoutDialogs, OfferedDialog } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'

const secondsOfDay = 86_400

/** AES-256-GCM with keys that are derived for one purpose. */
export type DialogCipher = {
  readonly encrypt: (plain: string, associatedData: string) => T.Task<string>
  /** Nothing for any text that was not encrypted with one of the keys and the same associated data. */
  readonly decrypt: (payload: string, associatedData: string) => T.Task<O.Option<string>>
}

/** The cipher of a purpose. */
export type DialogCiphers = (purpose: string) => DialogCipher

const decoded = (text: string): O.Option<OfferedDialog> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((json) => O.fromEither(OfferedDialog.decode(json))),
  )

/**
 * The dialogs of logout as sealed text: the browser keeps them, and the service need not. They open on the day on which they
 * were sealed and on the next. Anybody can ask for as many dialogs as the service makes, so that no key seals them for longer
 * than a day: a key has 2^32 random nonces (NIST SP 800-38D §8.3).
 */
export const createSealedDialogs = (ciphers: DialogCiphers, now: () => EpochSeconds): LogoutDialogs => {
  let known: { readonly day: number; readonly cipher: DialogCipher } | undefined
  const cipherOf = (day: number): DialogCipher => {
    if (known?.day !== day) known = { day, cipher: ciphers(`logout dialogs of day ${day}`) }
    return known.cipher
  }
  const today = (): number => Math.floor(now() / secondsOfDay)
  return {
    sealDialog: (dialog) => async () => {
      const day = today()
      return `${day}.${await cipherOf(day).encrypt(JSON.stringify(OfferedDialog.encode(dialog)), String(day))()}`
    },
    openDialog: (value) => () => {
      const [written = '', payload = '', ...rest] = value.split('.')
      const day = [today(), today() - 1].find((each) => String(each) === written)
      if (day === undefined || rest.length > 0) return T.of(O.none)()
      return pipe(cipherOf(day).decrypt(payload, written), T.map(O.flatMap(decoded)))()
    },
  }
}
