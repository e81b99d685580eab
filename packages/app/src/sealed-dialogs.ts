import type { EpochSeconds, LogoutDialogs } from '@clientele/domain'
import { OfferedDialog } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { KeyObject } from 'node:crypto'
import { createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.js'
import { keyOfPurpose } from './key-of-purpose.js'

const secondsOfDay = 86_400

type KeysOfDay = { readonly day: number; readonly first: KeyObject; readonly others: ReadonlyArray<KeyObject> }

/**
 * The keys of a day. Anybody can ask for as many dialogs as the service makes, so that no key seals them for longer, let alone
 * one that seals what is stored: a key has 2^32 random nonces (NIST SP 800-38D §8.3).
 */
const keysOfDay = (first: Buffer, others: ReadonlyArray<Buffer>, day: number): KeysOfDay => {
  const derived = (key: Buffer): KeyObject => createSecretKey(keyOfPurpose(key, `logout dialogs of day ${day}`))
  return { day, first: derived(first), others: others.map(derived) }
}

/**
 * The dialogs of logout as sealed text: the browser keeps them, and the service need not. They open with any of the encryption
 * keys, on the day on which they were sealed and on the next.
 */
export const createSealedDialogs = (
  first: Buffer,
  others: ReadonlyArray<Buffer>,
  now: () => EpochSeconds,
): LogoutDialogs => {
  let known = keysOfDay(first, others, 0)
  const keysOf = (day: number): KeysOfDay => (known.day === day ? known : (known = keysOfDay(first, others, day)))
  const today = (): number => Math.floor(now() / secondsOfDay)
  const opened = (value: string): O.Option<string> => {
    const [written = '', payload = '', ...rest] = value.split('.')
    const day = [today(), today() - 1].find((each) => String(each) === written)
    if (day === undefined || rest.length > 0) return O.none
    const keys = keysOf(day)
    return [keys.first, ...keys.others].map((key) => decrypt(key, payload, written)).find(O.isSome) ?? O.none
  }
  return {
    sealDialog: (dialog) => () => {
      const { day, first: key } = keysOf(today())
      return `${day}.${encrypt(key, JSON.stringify(OfferedDialog.encode(dialog)), String(day))}`
    },
    openDialog: (value) => () =>
      pipe(
        opened(value),
        O.flatMap((text) => O.tryCatch((): unknown => JSON.parse(text))),
        O.flatMap((json) => O.fromEither(OfferedDialog.decode(json))),
      ),
  }
}
