// What the opening of a store needs: the refusals for people, and the digest key.
import type { Unavailable } from '@clientele/domain/kernel'
import type { Encryption, StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, select } from './statement.js'
import { type RowIn, table, text } from './table.js'
import { type Engine, type Made, verb, verbOf } from './verb.js'

export const storeRefusal = (refusal: StoreRefusal['refusal'], message: string): StoreRefusal => ({ refusal, message })

/** What the steps of an opening throw. */
export class Refused extends Error {
  constructor(readonly refusal: StoreRefusal) {
    super(refusal.message)
  }
}

/** Ends the opening. */
export const refuse = (refusal: StoreRefusal['refusal'], message: string): never => {
  throw new Refused(storeRefusal(refusal, message))
}

/** What a step results in; its failure ends the opening. */
export const orRefuse = async <Failure, Result>(
  step: TE.TaskEither<Failure, Result>,
  refusalOf: (failure: Failure) => StoreRefusal,
): Promise<Result> => {
  const outcome = await step()
  if (E.isLeft(outcome)) throw new Refused(refusalOf(outcome.left))
  return outcome.right
}

/** Takes the steps one after the other, until one of them throws a refusal; `refusalOf` makes that of another error. */
export const refusing =
  <Result>(
    steps: () => Result | Promise<Result>,
    refusalOf?: (error: unknown) => StoreRefusal,
  ): TE.TaskEither<StoreRefusal, Result> =>
  async () => {
    try {
      return E.right(await steps())
    } catch (error) {
      if (error instanceof Refused) return E.left(error.refusal)
      if (refusalOf === undefined) throw error
      return E.left(refusalOf(error))
    }
  }

const wrongKey = (store: string): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `the encryption key does not open ${store}: it was written with another one; give that key, alone or after the new one`,
  )

export const encryptionUnavailable =
  (store: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal(
      'encryption-unavailable',
      `the encryption of ${store} is not available (${reasonOf(detail)}): start again when it is`,
    )

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The key of all token digests is sealed, so that whoever opens it has the right encryption key. */
export const secrets = table({
  name: 'secrets',
  columns: { name: text(t.string), sealed: text(t.string) },
  key: ['name'],
  sealed: 'sealed',
  proves: ({ name }) => name,
  value: (_, opened) => O.some(opened),
  unreadable: 'a secret cannot be read',
})

type SecretRow = RowIn<typeof secrets>

const named = { name: 'digest-key' }
const find = select({ name: t.string, sealed: t.string }, 'secrets WHERE name = :name', { name: 'text' })
const insert = secrets.insert('ON CONFLICT (name) DO NOTHING')
const replace = change('UPDATE secrets SET sealed = :anew WHERE name = :name AND sealed = :sealed', {
  name: 'text',
  sealed: 'text',
  anew: 'text',
})

/** Of several services that open a new store at once, one stores its key, which is that of all. */
const addSecret = (row: SecretRow) =>
  verb({}, async (tx) => {
    await tx.run(insert, row)
    return E.right((await tx.get(find, row)) ?? row)
  })

/** The digest key, of its sealed text; refuses an encryption that does not open it. */
export const openDigestKey = async (
  store: string,
  sealed: string,
  { open }: Pick<Encryption, 'open'>,
): Promise<string> => {
  const key = O.toUndefined(await orRefuse(open(sealed, named.name), encryptionUnavailable(store)))
  if (key === undefined) throw new Refused(wrongKey(store))
  return key
}

type DigestKeyNeeds = {
  readonly encryption: Encryption
  readonly generateKey: () => string
  /** Called with the key before it is sealed anew; a refusal is returned, and nothing is written. */
  readonly beforeSealing?: ((digestKey: string) => TE.TaskEither<StoreRefusal, unknown>) | undefined
}

/**
 * The digest key, generated once, and sealed with the present encryption key; a step of the opening. `store` names the store in
 * a refusal; `refusalOf` makes the refusal for an error of its database.
 */
export const digestKeyOf = async (
  store: string,
  engine: Engine,
  refusalOf: (failure: Unavailable) => StoreRefusal,
  { encryption, generateKey, beforeSealing = () => TE.right(undefined) }: DigestKeyNeeds,
): Promise<string> => {
  const notEncrypted = encryptionUnavailable(store)
  const seal = (key: string) => orRefuse(secrets.seal(encryption, named, key), notEncrypted)
  const write = <Result>(made: Made<never, Result>) => orRefuse(engine.write(made), refusalOf)
  const found = await orRefuse(engine.get(find, named), refusalOf)
  const row = found ?? (await write(addSecret(await seal(generateKey()))))
  const key = await openDigestKey(store, row.sealed, encryption)
  await orRefuse(beforeSealing(key), identity)
  if (!(await orRefuse(encryption.isCurrent(row.sealed), notEncrypted))) {
    const { sealed: anew } = await seal(key)
    await write(verbOf({}, replace, { ...row, anew }))
  }
  return key
}
