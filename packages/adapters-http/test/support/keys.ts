// Real keys, made once in a process because RSA keys take long, and the service that manages them.
import type { EpochSeconds } from '@clientele/domain/kernel'
import {
  type ForeignKey,
  type GeneratedKey,
  type KeyRing,
  type KeyUse,
  keysOf,
  maxReadAge,
  maxSkew,
  newRing,
} from '@clientele/domain/keys'
import { manageKeys, unaudited } from '@clientele/domain/operations'
import type { KeyMaker, KeyRings } from '@clientele/domain/ports'
import { emptyState, inMemoryStore, keyRingsOf } from '@clientele/adapters-memory'
import { noPauses } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { type KeySource, createKeyMaker } from '@clientele/adapters-jose'
import { at, createWorld, httpSettings } from './in-memory-ports.js'
import { type Shell, shells } from './shells.js'
import { type Sent, send, withServer } from './wire.js'

export type Jwk = Readonly<Record<string, unknown>>

/** The result that the test expects. */
export const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`refused: ${JSON.stringify(result.left)}`)
  return result.right
}

/** The refusal that the test expects. */
export const left = <Failure>(result: E.Either<Failure, unknown>): Failure => {
  if (E.isRight(result)) throw new Error('not refused')
  return result.left
}

const made = new Map<string, Promise<GeneratedKey>>()

const inOneFamily = (alg: string): string => (/^(RS|PS)\d/.test(alg) ? 'RS256' : alg)

/** A key for the algorithm, the same for each call; RS256 to PS512 share theirs. */
export const keyFor = (alg: string, nth = 0): Promise<GeneratedKey> => {
  const name = `${inOneFamily(alg)} ${nth}`
  const key = made.get(name) ?? createKeyMaker().makeKey(inOneFamily(alg))().then(right)
  made.set(name, key)
  return key
}

/** The private half, by the member names of RFC 7518. */
export const privateJwk = ({ privateKey }: GeneratedKey): Jwk => {
  const parsed: unknown = JSON.parse(privateKey)
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** The secret values of this key. */
export const secretsOf = (jwk: Jwk): ReadonlyArray<string> =>
  privateMembers.flatMap((name) => (typeof jwk[name] === 'string' && jwk[name].length > 8 ? [jwk[name]] : []))

/** Asserts that the text contains no private member, and no value of these keys or its beginning. */
export const tellsNothing = (text: string, secrets: Iterable<string>): void => {
  for (const secret of secrets) assert.not.ok(text.includes(secret.slice(0, 12)), 'private material is told')
  assert.not.match(text, /"(?:d|p|q|dp|dq|qi|oth|k|privateKey)"/)
}

export const keyPolicyHere = httpSettings().keyPolicy

export const ringWith = (alg: string, key: GeneratedKey, use: KeyUse = 'sig'): KeyRing =>
  newRing(keyPolicyHere, at)(alg, use, key)

/** A margin on top of the retention, for instances that have not read a change yet. */
export const margin = maxReadAge + maxSkew

/** The keys of one instance, which no other one changes. */
export const keySource = (
  keyRings: () => ReadonlyArray<KeyRing>,
  foreignKeys: () => ReadonlyArray<ForeignKey> = () => [],
  now: () => EpochSeconds = () => at,
): KeySource => ({ keyRings, foreignKeys, lastRead: () => ({ at: now(), age: 0 }), refreshKeys: T.of(undefined) })

export type KeyAnswer = { readonly status: number; readonly members: Jwk; readonly headers: NodeJS.Dict<unknown> }

export type KeyService = {
  readonly ask: (method: string, path: string, sent?: Sent) => Promise<KeyAnswer>
  readonly stored: () => Promise<ReadonlyArray<KeyRing>>
}

// Collects also the keys of dry runs, which are not stored.
const remembering = (secrets: Set<string>): KeyMaker => ({
  makeKey: (alg) =>
    pipe(
      createKeyMaker().makeKey(alg),
      TE.tapIO((key) => () => secretsOf(privateJwk(key)).forEach((secret) => secrets.add(secret))),
    ),
})

const storedIn = (store: KeyRings) => async (): Promise<ReadonlyArray<KeyRing>> => right(await store.readKeyRings())

const asObject = (body: Buffer): Jwk => {
  const parsed: unknown = body.length === 0 ? {} : JSON.parse(body.toString())
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

type Use = (service: KeyService) => Promise<void>

const withKeysOn = async (shell: Shell, rings: ReadonlyArray<KeyRing>, use: Use, sent: ReadonlyArray<Jwk>) => {
  const { keyRings, foreignKeys } = inMemoryStore({ ...emptyState(), keyRings: keyRingsOf(rings) }, () => at)
  const secrets = new Set(sent.flatMap(secretsOf))
  for (const { key } of rings.flatMap(keysOf)) secretsOf(privateJwk(key)).forEach((secret) => secrets.add(secret))
  const stored = { ...keyRings, ...foreignKeys }
  const ports = { ...stored, ...remembering(secrets), ...noPauses }
  const management = manageKeys(
    { policy: keyPolicyHere, signingAlgorithms: rings.map(({ alg }) => alg) },
    { ...unaudited, ...ports },
  )
  await withServer(shell.createManagementListener(httpSettings(), createWorld({ management })), (wire) =>
    use({
      stored: storedIn(keyRings),
      ask: async (method, path, given) => {
        const { status, headers, body } = await send(wire, method, path, given)
        tellsNothing(body.toString(), secrets)
        return { status, headers, members: asObject(body) }
      },
    }),
  )
}

/**
 * Serves these rings to operators, with one shell after the other. All answers are searched for private halves,
 * including those of `sent` keys.
 */
export const withKeys = async (
  rings: ReadonlyArray<KeyRing>,
  use: Use,
  sent: ReadonlyArray<Jwk> = [],
): Promise<void> => {
  for (const shell of shells) await withKeysOn(shell, rings, use, sent)
}
