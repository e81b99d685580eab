import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { Encryption } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The abilities of a writer of the file who has a key: AES-256-GCM with the key of that name, bound to the context. */
export type Sealer = {
  readonly seal: (plain: string, context: string) => string
  readonly open: (sealed: string, context: string) => O.Option<string>
  readonly isCurrent: (sealed: string) => boolean
}

export const sealerWith = (name: string): Sealer => {
  const key = createHash('sha256').update(name).digest()
  return {
    open: (sealed, context) =>
      O.tryCatch(() => {
        const bytes = Buffer.from(sealed.slice(name.length), 'base64url')
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return decipher.update(bytes.subarray(28)).toString('utf8') + decipher.final('utf8')
      }),
    isCurrent: (sealed) => sealed.startsWith(name),
    seal: (plain, context) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return name + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
  }
}

/** Encryption by the key of that name, synchronously. */
export const encryptionWith = (name: string): Encryption => {
  const { seal, open, isCurrent } = sealerWith(name)
  const opened: Encryption['open'] = (sealed, context) => TE.fromIO(() => open(sealed, context))
  return {
    seal: (plain, context) => TE.fromIO(() => seal(plain, context)),
    open: opened,
    isCurrent: (sealed) => TE.fromIO(() => isCurrent(sealed)),
  }
}

/** The same by WebCrypto, on other threads: answers come in any order, as from a key management service. */
export const webEncryptionWith = (name: string): Encryption => {
  const key = crypto.subtle
    .digest('SHA-256', Buffer.from(name))
    .then((digest) => crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']))
  const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: Buffer.from(context),
  })
  const open = (sealed: string, context: string) => async (): Promise<O.Option<string>> => {
    const octets = Uint8Array.from(Buffer.from(sealed.slice(name.length), 'base64url'))
    try {
      const plain = await crypto.subtle.decrypt(algorithm(octets.slice(0, 12), context), await key, octets.slice(12))
      return O.some(Buffer.from(plain).toString('utf8'))
    } catch {
      return O.none
    }
  }
  const opened: Encryption['open'] = (sealed, context) => TE.fromTask(open(sealed, context))
  return {
    open: opened,
    isCurrent: (sealed) => TE.right(sealed.startsWith(name)),
    seal: (plain, context) =>
      TE.tryCatch(async () => {
        const nonce = crypto.getRandomValues(new Uint8Array(12))
        const sealed = await crypto.subtle.encrypt(algorithm(nonce, context), await key, Buffer.from(plain))
        return name + Buffer.concat([nonce, new Uint8Array(sealed)]).toString('base64url')
      }, unavailable),
  }
}

type Requested = 'seal' | 'open' | 'isCurrent'

/** The same encryption, called through a function that may refuse in its place. */
const through = (
  encryption: Encryption,
  ask: <Value>(what: Requested, answer: Answer<Value>) => Answer<Value>,
): Encryption => ({
  seal: (plain, context) => ask('seal', encryption.seal(plain, context)),
  open: (sealed, context) => ask('open', encryption.open(sealed, context)),
  isCurrent: (sealed) => ask('isCurrent', encryption.isCurrent(sealed)),
})

type Answer<Value> = TE.TaskEither<Unavailable, Value>

export type CountedEncryption = Encryption & { readonly requested: ReadonlyArray<Requested> }

/** Records the calls. */
export const counting = (encryption: Encryption): CountedEncryption => {
  const requested: Array<Requested> = []
  const counted = through(encryption, (what, answer) => () => {
    requested.push(what)
    return answer()
  })
  return { ...counted, requested }
}

/** Unavailable while the switch says so. */
export const interrupted = (encryption: Encryption, isInterrupted: () => boolean): Encryption =>
  through(encryption, (_, answer) => () => (isInterrupted() ? TE.left(unavailable('no keys now'))() : answer()))

/** Seals with the first key, and decrypts values of either. */
export const withEarlier = (first: Encryption, earlier: Encryption): Encryption => ({
  ...first,
  open: (sealed, context) =>
    pipe(
      first.isCurrent(sealed),
      TE.flatMap((isCurrent) => (isCurrent ? first : earlier).open(sealed, context)),
    ),
})
