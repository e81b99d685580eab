import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  alreadyConsumed,
  decideRefreshTokenUse,
  maxForgotten,
  unknownClient,
  unknownGrant,
  unknownSession,
  type AlreadyConsumed,
  type Artefact,
  type ArtefactKind,
  type Artefacts,
  type EpochSeconds,
  type RefreshTokenUse,
  type RefusedArtefact,
  type StoredArtefact,
  type TokenHash,
} from '@clientele/domain'
import { type ArtefactEntry, type State, forget, isRegistered } from './state.js'
import { step } from './step.js'

const keyOf = (kind: ArtefactKind, hash: TokenHash): string => `${kind} ${hash}`

const refusalOf = (state: State, { client, session, grant }: Artefact): RefusedArtefact | undefined => {
  if (client !== undefined && !isRegistered(state)(client)) return unknownClient
  if (session !== undefined && !state.sessions.has(session)) return unknownSession
  if (grant !== undefined && !state.artefacts.has(keyOf('grant', grant))) return unknownGrant
  return undefined
}

// One that replaces another has its uses.
const usesOf = ({ artefact: { consumed_at, successor } }: ArtefactEntry): Partial<StoredArtefact> =>
  Object.assign({}, consumed_at === undefined ? {} : { consumed_at }, successor === undefined ? {} : { successor })

// A grant and a predecessor are stored for as long as what names them.
const storeUntil = ({ artefacts }: State, key: string, until: EpochSeconds): void => {
  const entry = artefacts.get(key)
  if (entry !== undefined && entry.removable_from < until)
    artefacts.set(key, { artefact: entry.artefact, removable_from: until })
}

// Each write looks at the first few, and puts those that have not expired behind the others.
const forgetSome = ({ artefacts }: State, at: EpochSeconds): void => {
  let seen = 0
  for (const [key, entry] of artefacts) {
    seen += 1
    if (seen > maxForgotten.artefacts) return
    artefacts.delete(key)
    if (entry.removable_from > at) artefacts.set(key, entry)
  }
}

const store = (state: State, artefact: Artefact, at: EpochSeconds): E.Either<RefusedArtefact, void> => {
  const refusal = refusalOf(state, artefact)
  if (refusal !== undefined) return E.left(refusal)
  const key = keyOf(artefact.kind, artefact.hash)
  const replaced = state.artefacts.get(key)
  const { grant, predecessor, expires_at } = artefact
  state.artefacts.set(key, {
    artefact: Object.assign({}, artefact, replaced === undefined ? {} : usesOf(replaced)),
    removable_from:
      replaced === undefined || replaced.removable_from < expires_at ? expires_at : replaced.removable_from,
  })
  if (grant !== undefined) storeUntil(state, keyOf('grant', grant), expires_at)
  if (predecessor !== undefined) storeUntil(state, keyOf('refresh_token', predecessor), expires_at)
  forgetSome(state, at)
  return E.right(undefined)
}

// The first by the digest, where several expire at once.
const lastToExpire = (found: ReadonlyArray<StoredArtefact>): StoredArtefact | undefined =>
  [...found].sort((one, other) => other.expires_at - one.expires_at || (one.hash < other.hash ? -1 : 1))[0]

const byName = ({ artefacts }: State, kind: ArtefactKind, name: TokenHash): StoredArtefact | undefined =>
  lastToExpire(
    [...artefacts.values()]
      .map(({ artefact }) => artefact)
      .filter((artefact) => artefact.kind === kind && artefact.name === name),
  )

const write = ({ artefacts }: State, entry: ArtefactEntry, uses: Partial<StoredArtefact>): void =>
  void artefacts.set(keyOf(entry.artefact.kind, entry.artefact.hash), {
    artefact: { ...entry.artefact, ...uses },
    removable_from: entry.removable_from,
  })

const consume = (
  state: State,
  kind: ArtefactKind,
  hash: TokenHash,
  at: EpochSeconds,
): E.Either<AlreadyConsumed, void> => {
  const entry = state.artefacts.get(keyOf(kind, hash))
  if (entry === undefined || entry.artefact.consumed_at !== undefined) return E.left(alreadyConsumed)
  write(state, entry, { consumed_at: at })
  return E.right(undefined)
}

const use = (state: State, hash: TokenHash, how: RefreshTokenUse): E.Either<AlreadyConsumed, void> => {
  const tokenOf = (of: TokenHash): ArtefactEntry | undefined => state.artefacts.get(keyOf('refresh_token', of))
  const token = tokenOf(hash)
  if (token === undefined) return E.left(alreadyConsumed)
  const { predecessor: before } = token.artefact
  const predecessor = before === undefined ? undefined : tokenOf(before)
  return pipe(
    decideRefreshTokenUse(token.artefact, predecessor?.artefact, how),
    E.map(({ consumed_at, successorOfPredecessor }) => {
      write(state, token, { consumed_at })
      // Read again: a token may name itself.
      const replaced = before === undefined ? undefined : tokenOf(before)
      if (replaced !== undefined) write(state, replaced, { successor: successorOfPredecessor })
    }),
  )
}

const removeGrant = ({ artefacts }: State, grant: TokenHash): void => {
  artefacts.delete(keyOf('grant', grant))
  forget(artefacts, ({ artefact }) => artefact.grant === grant)
}

export const inMemoryArtefacts = (state: State): Artefacts => ({
  storeArtefact: (artefact, at) => step(() => store(state, artefact, at)),
  findArtefact: (kind, hash) => step(() => E.right(O.fromNullable(state.artefacts.get(keyOf(kind, hash))?.artefact))),
  findArtefactByName: (kind, name) => step(() => E.right(O.fromNullable(byName(state, kind, name)))),
  consumeArtefact: (kind, hash, at) => step(() => consume(state, kind, hash, at)),
  useRefreshToken: (hash, how) => step(() => use(state, hash, how)),
  removeArtefact: (kind, hash) =>
    step(() => E.right(kind === 'grant' ? removeGrant(state, hash) : void state.artefacts.delete(keyOf(kind, hash)))),
  removeGrant: (grant) => step(() => E.right(removeGrant(state, grant))),
})
