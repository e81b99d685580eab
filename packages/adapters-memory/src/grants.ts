// What a client was granted: authorizations, and the artefacts of the authorization server.
import { type EpochSeconds, unknownClient, unknownSession } from '@clientele/domain/kernel'
import { type StoragePorts, maxForgotten, unknownGrant } from '@clientele/domain/ports'
import {
  type AlreadyConsumed,
  type Artefact,
  type ArtefactUse,
  type StoredArtefact,
  alreadyConsumed,
  decideRefreshTokenUse,
  usesItself,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { useClient } from './clients.js'
import { useConnection } from './connections.js'
import { type State, type StoredGrantPart, certainly, forgetOver, isRegistered, step } from './state.js'

const keyOf = (kind: string, hash: string): string => `${kind} ${hash}`

export const clientAuthorizations = (state: State): StoragePorts['authorizations'] => ({
  recordAuthorization: step((authorization, at) => {
    const { offline, ...others } = authorization
    const { kind, hash, client_id, session } = others
    if (!isRegistered(state)(authorization)) return E.left(unknownClient)
    if (session !== undefined && offline !== true && !state.sessions.has(session)) return E.left(unknownSession)
    // One that expires at 0 does not expire.
    forgetOver(state.authorizations, (each) => each.expires_at || Infinity, at, maxForgotten.authorizations)
    useClient(state, client_id, at)
    // offline: false is stored as absent.
    state.authorizations.set(keyOf(kind, hash), offline === true ? authorization : others)
    return E.right(undefined)
  }),
  findAuthorization: certainly((kind, hash) => O.fromNullable(state.authorizations.get(keyOf(kind, hash)))),
  revokeAuthorization: certainly((kind, hash) => void state.authorizations.delete(keyOf(kind, hash))),
})

const refusalOf = (state: State, { client, session, grant }: Artefact) => {
  if (client !== undefined && !isRegistered(state)(client)) return unknownClient
  if (session !== undefined && !state.sessions.has(session)) return unknownSession
  if (grant !== undefined && !state.artefacts.has(keyOf('grant', grant))) return unknownGrant
  return undefined
}

// A grant and a predecessor are stored for as long as what names them.
const storeUntil = ({ artefacts }: State, key: string, until: EpochSeconds): void => {
  const entry = artefacts.get(key)
  if (entry !== undefined && entry.removable_from < until) artefacts.set(key, { ...entry, removable_from: until })
}

// Each write looks at the first few, and puts those that have not expired behind the others.
const forgetSome = ({ artefacts }: State, at: EpochSeconds): void => {
  for (const [key, entry] of [...artefacts].slice(0, maxForgotten.artefacts)) {
    artefacts.delete(key)
    if (entry.removable_from > at) artefacts.set(key, entry)
  }
}

const write = ({ artefacts }: State, entry: StoredGrantPart, uses: Partial<StoredArtefact>): void => {
  const { kind, hash } = entry.artefact
  artefacts.set(keyOf(kind, hash), { ...entry, artefact: { ...entry.artefact, ...uses } })
}

const removeGrant = ({ artefacts }: State, grant: string): void => {
  artefacts.delete(keyOf('grant', grant))
  artefacts.deleteWhere('grant', grant)
}

const use = (state: State, { hash, ...how }: ArtefactUse): E.Either<AlreadyConsumed, void> => {
  const entryOf = (of: string | undefined) => (of === undefined ? undefined : state.artefacts.get(keyOf(how.kind, of)))
  const entry = entryOf(hash)
  if (entry === undefined) return E.left(alreadyConsumed)
  if (how.kind !== 'refresh_token') {
    if (entry.artefact.consumed_at !== undefined) return E.left(alreadyConsumed)
    return E.right(write(state, entry, { consumed_at: how.at }))
  }
  const { predecessor } = entry.artefact
  const used = decideRefreshTokenUse(entry.artefact, entryOf(predecessor)?.artefact, how)
  if (E.isLeft(used)) return used
  write(state, entry, { consumed_at: used.right.consumed_at })
  // Read again: a token may name itself.
  const replaced = entryOf(predecessor)
  if (replaced !== undefined) write(state, replaced, { successor: used.right.successorOfPredecessor })
  return E.right(undefined)
}

// One that replaces another has its uses, and is stored as long.
const put = (state: State, artefact: Artefact, uses: Partial<StoredArtefact>): void => {
  const { kind, hash, expires_at } = artefact
  const replaced = state.artefacts.get(keyOf(kind, hash))
  const { consumed_at, successor } = replaced?.artefact ?? {}
  const kept = {
    ...(consumed_at === undefined ? {} : { consumed_at }),
    ...(successor === undefined ? {} : { successor }),
  }
  const removable_from =
    replaced !== undefined && replaced.removable_from > expires_at ? replaced.removable_from : expires_at
  state.artefacts.set(keyOf(kind, hash), { artefact: { ...artefact, ...uses, ...kept }, removable_from })
}

export const artefacts = (state: State): StoragePorts['artefacts'] => ({
  storeArtefact: step((artefact, at, used) => {
    const refusal = refusalOf(state, artefact)
    if (refusal !== undefined) return E.left(refusal)
    const { kind, hash, grant, predecessor, expires_at } = artefact
    // What is used as it is stored has no entry yet, unless it was used before.
    const isUsedNew = usesItself(artefact, used) && !state.artefacts.has(keyOf(kind, hash))
    const outcome = used === undefined || isUsedNew ? E.right(undefined) : use(state, used)
    if (E.isLeft(outcome)) return outcome
    put(state, artefact, isUsedNew && used !== undefined ? { consumed_at: used.at } : {})
    if (grant !== undefined) storeUntil(state, keyOf('grant', grant), expires_at)
    if (predecessor !== undefined) storeUntil(state, keyOf('refresh_token', predecessor), expires_at)
    useConnection(state, artefact, at)
    forgetSome(state, at)
    return E.right(undefined)
  }),
  findArtefact: certainly((kind, hash) => O.fromNullable(state.artefacts.get(keyOf(kind, hash))?.artefact)),
  findArtefactByName: certainly((kind, name) => {
    const named = [...state.artefacts.where('name', keyOf(kind, name)).values()].map(({ artefact }) => artefact)
    // The first by the digest, where several expire at once.
    named.sort((one, other) => other.expires_at - one.expires_at || (one.hash < other.hash ? -1 : 1))
    return O.fromNullable(named[0])
  }),
  useArtefact: step((used) => use(state, used)),
  removeArtefact: certainly((kind, hash) =>
    kind === 'grant' ? removeGrant(state, hash) : void state.artefacts.delete(keyOf(kind, hash)),
  ),
  removeGrant: certainly((grant) => removeGrant(state, grant)),
})
