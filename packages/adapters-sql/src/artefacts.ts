// The artefacts of the authorization server by kind and hash, and their uses.
import { TokenHash } from '@clientele/domain/authorization'
import { EpochSeconds, isParsedObject, unknownClient, unknownSession } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import {
  type Artefacts,
  type Encryption,
  type RefusedArtefact,
  maxForgotten,
  unknownGrant,
} from '@clientele/domain/ports'
import {
  type Artefact,
  type ArtefactKind,
  type AlreadyConsumed,
  type ArtefactUse,
  type PermittedUse,
  type RefreshTokenUses,
  type StoredArtefact,
  alreadyConsumed,
  artefactKinds,
  decideRefreshTokenUse,
  isConnectionUse,
  usesItself,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { useConnection } from './connections.js'
import { change, forgetRows, select, together } from './statement.js'
import {
  type RowIn,
  json,
  number,
  oneOf,
  orNull,
  present,
  readRow,
  table,
  text,
  unreadNumber,
  ofRegistrationIfAny,
} from './table.js'
import {
  type Engine,
  type Made,
  type Tx,
  artefactOf,
  clientOf,
  consentOf,
  registrationOf,
  selectOrdinal,
  selectSession,
  sessionOf,
  verb,
  verbOf,
} from './verb.js'

/** The columns of a use: an artefact that replaces another one keeps them. */
const unused = { consumed_at: null, successor: null }

export const artefacts = table({
  name: 'artefacts',
  columns: {
    kind: text(oneOf(artefactKinds)),
    hash: text(TokenHash),
    name: text(orNull(TokenHash)),
    client: unreadNumber,
    grant_hash: text(orNull(TokenHash)),
    session: text(orNull(Subject)),
    sub: text(orNull(Subject)),
    predecessor: text(orNull(TokenHash)),
    expires_at: number(EpochSeconds),
    removable_from: unreadNumber,
    consumed_at: number(orNull(EpochSeconds)),
    successor: text(orNull(TokenHash)),
    payload: text(t.string),
  },
  key: ['kind', 'hash'],
  joins: ofRegistrationIfAny('artefacts.client'),
  sealed: 'payload',
  // What it is, whose, and what it ends with. The uses are not part of it, because the row that consumes is not decrypted: a
  // writer of the database who resets them could as well restore the row from before.
  proves: [
    'kind',
    'hash',
    'name',
    'client_id',
    'registration_id',
    'grant_hash',
    'session',
    'sub',
    'predecessor',
    'expires_at',
  ],
  value: (row, opened): O.Option<StoredArtefact> =>
    pipe(
      json(opened),
      O.filter(isParsedObject),
      O.map((payload) => ({
        kind: row.kind,
        hash: row.hash,
        expires_at: row.expires_at,
        payload,
        ...present({
          name: row.name,
          client: registrationOf(row) ?? null,
          grant: row.grant_hash,
          session: row.session,
          sub: row.sub,
          predecessor: row.predecessor,
          consumed_at: row.consumed_at,
          successor: row.successor,
        }),
      })),
    ),
  unreadable: 'an artefact of the authorization server cannot be read',
})

type Row = RowIn<typeof artefacts>

const toRow = (artefact: Artefact): Omit<Row, 'payload'> => ({
  kind: artefact.kind,
  hash: artefact.hash,
  name: artefact.name ?? null,
  client_id: artefact.client?.client_id ?? null,
  registration_id: artefact.client?.registration_id ?? null,
  grant_hash: artefact.grant ?? null,
  session: artefact.session ?? null,
  sub: artefact.sub ?? null,
  predecessor: artefact.predecessor ?? null,
  expires_at: artefact.expires_at,
  ...unused,
})

const byKey = { kind: 'text', hash: 'text' } as const
const byHash = together(artefacts.select('artefacts.kind = :kind AND artefacts.hash = :hash', byKey))
const byName = together(
  artefacts.select(
    'artefacts.kind = :kind AND artefacts.name = :name ORDER BY artefacts.expires_at DESC, artefacts.hash LIMIT 1',
    { kind: 'text', name: 'text' },
  ),
)

const replaced = ['name', 'client', 'grant_hash', 'session', 'sub', 'predecessor', 'expires_at', 'payload'] as const
const upsert = artefacts.insert(
  `ON CONFLICT (kind, hash) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')},
  removable_from = CASE WHEN artefacts.removable_from > excluded.expires_at THEN artefacts.removable_from
    ELSE excluded.expires_at END`,
)
const selectEnd = together(select({ removable_from: t.number }, 'artefacts WHERE kind = :kind AND hash = :hash', byKey))
const extend = together(
  change(
    'UPDATE artefacts SET removable_from = :until WHERE kind = :kind AND hash = :hash AND removable_from < :until',
    { ...byKey, until: 'number' },
  ),
)
const forgetExpired = forgetRows(
  'artefacts',
  'kind, hash',
  'removable_from <= :at AND (kind, hash) <> (:kind, :hash) ORDER BY removable_from',
  maxForgotten.artefacts,
  { at: 'number', ...byKey },
)

/**
 * What an artefact names is stored for as long as the artefact; false where it is not stored. Others may extend it, or forget
 * it as expired, between the two statements.
 */
const storeUntil = async (tx: Tx, kind: ArtefactKind, hash: TokenHash, until: EpochSeconds): Promise<boolean> => {
  for (;;) {
    const found = await tx.get(selectEnd, { kind, hash })
    if (found === undefined) return false
    if (found.removable_from >= until || (await tx.run(extend, { kind, hash, until })) > 0) return true
  }
}

/** What an artefact ends with does not end while it is stored. */
const endsWith = (row: Row): ReadonlyArray<string> => {
  const client = registrationOf(row)
  return [
    ...(client === undefined ? [] : [clientOf(client)]),
    ...(row.session === null ? [] : [sessionOf({ sid: row.session })]),
    ...(row.grant_hash === null ? [] : [artefactOf('grant', row.grant_hash)]),
    ...(client === undefined || row.sub === null ? [] : [consentOf(row.sub, client)]),
  ]
}

/** The ordinal of its client, null for none; refused where something has ended with which the artefact ends. */
const ownerIn = async (tx: Tx, row: Row): Promise<E.Either<RefusedArtefact, number | null>> => {
  const { session, grant_hash: grant, expires_at } = row
  const registration = registrationOf(row)
  const client = registration === undefined ? null : (await tx.get(selectOrdinal, registration))?.ordinal
  if (client === undefined) return E.left(unknownClient)
  if (session !== null && (await tx.get(selectSession, { sid: session })) === undefined) return E.left(unknownSession)
  if (grant !== null && !(await storeUntil(tx, 'grant', grant, expires_at))) return E.left(unknownGrant)
  return E.right(client)
}

/** What the application gets of a connection is a use of it. */
const useOf = (tx: Tx, { kind, sub }: Row, client: number | null, at: EpochSeconds): Promise<void> | undefined =>
  isConnectionUse(kind) && client !== null && sub !== null ? useConnection(tx, client, sub, at) : undefined

const consumeOnce = together(
  change('UPDATE artefacts SET consumed_at = :at WHERE kind = :kind AND hash = :hash AND consumed_at IS NULL', {
    ...byKey,
    at: 'number',
  }),
)

const uses = {
  hash: TokenHash,
  predecessor: orNull(TokenHash),
  consumed_at: orNull(EpochSeconds),
  successor: orNull(TokenHash),
}

// The token and its predecessor: one row, where the token names itself as its predecessor.
const isToken = `artefacts WHERE kind = 'refresh_token' AND hash`
const selectUses = together(
  select(uses, `${isToken} IN (:hash, (SELECT predecessor FROM ${isToken} = :hash))`, { hash: 'text' }),
)
const succeed = together(
  change(
    `UPDATE artefacts SET successor = :successor WHERE kind = 'refresh_token' AND hash = :hash AND successor IS NULL`,
    { hash: 'text', successor: 'text' },
  ),
)
// A token that is its own predecessor has just become its own successor.
const consumeUnsucceeded = together(
  change(
    `
UPDATE artefacts SET consumed_at = :at
WHERE kind = 'refresh_token' AND hash = :hash AND consumed_at IS NULL AND (successor IS NULL OR successor = hash)`,
    { hash: 'text', at: 'number' },
  ),
)

const toUses = ({ hash, ...others }: t.TypeOfProps<typeof uses>): RefreshTokenUses => ({ hash, ...present(others) })

/** Whether both rows were as the use was decided on. The predecessor first, so that uses of a chain do not wait in a circle. */
const isWritten = async (
  tx: Tx,
  token: RefreshTokenUses,
  predecessor: RefreshTokenUses | undefined,
  { consumed_at: at, successorOfPredecessor: successor }: PermittedUse,
): Promise<boolean> => {
  const succeeds = predecessor !== undefined && predecessor.successor === undefined
  if (succeeds && (await tx.run(succeed, { hash: predecessor.hash, successor })) === 0) return false
  return token.consumed_at !== undefined || (await tx.run(consumeUnsucceeded, { hash: token.hash, at })) > 0
}

// RFC 9700 §4.14.2. What precedes a token may change meanwhile: each row is written on the condition that it is as it was read.
const useRefreshToken = async (
  tx: Tx,
  { hash, ...use }: Extract<ArtefactUse, { kind: 'refresh_token' }>,
): Promise<E.Either<AlreadyConsumed, undefined>> => {
  for (;;) {
    const found = (await tx.all(selectUses, { hash })).map(toUses)
    const token = found.find((each) => each.hash === hash)
    if (token === undefined) return E.left(alreadyConsumed)
    const predecessor = found.find((each) => each.hash === token.predecessor)
    const permitted = decideRefreshTokenUse(token, predecessor, use)
    if (E.isLeft(permitted)) return permitted
    if (await isWritten(tx, token, predecessor, permitted.right)) return E.right(undefined)
  }
}

const useArtefact = async (tx: Tx, use: ArtefactUse): Promise<E.Either<AlreadyConsumed, undefined>> => {
  if (use.kind === 'refresh_token') return useRefreshToken(tx, use)
  const { kind, hash, at } = use
  return (await tx.run(consumeOnce, { kind, hash, at })) === 1 ? E.right(undefined) : E.left(alreadyConsumed)
}

/** A refresh token with its predecessor, so that uses of one chain do not wait for each other in a circle. */
const namesOf = (use: ArtefactUse): ReadonlyArray<string> => [
  artefactOf(use.kind, use.hash),
  ...(use.kind === 'refresh_token' && use.predecessor !== undefined ? [artefactOf(use.kind, use.predecessor)] : []),
]

type Storing = {
  readonly row: Row
  readonly at: EpochSeconds
  readonly use: ArtefactUse | undefined
  readonly forgets: boolean
}

/** Returns the number of expired artefacts that it removed, where it `forgets` them. */
const storeArtefact = ({ row, at, use, forgets }: Storing): Made<RefusedArtefact | AlreadyConsumed, number> => {
  const { kind, hash, predecessor, expires_at } = row
  const names = {
    changes: [
      artefactOf(kind, hash),
      ...(predecessor === null ? [] : [artefactOf('refresh_token', predecessor)]),
      ...(use === undefined ? [] : namesOf(use)),
    ],
    relies: endsWith(row),
  }
  return verb(names, async (tx) => {
    const owner = await ownerIn(tx, row)
    if (E.isLeft(owner)) return owner
    const client = owner.right
    // What is used as it is stored has no row yet, unless it was used before.
    const isUsedNew = usesItself(row, use) && (await tx.get(selectEnd, { kind, hash })) === undefined
    const used = use === undefined || isUsedNew ? E.right(undefined) : await useArtefact(tx, use)
    if (E.isLeft(used)) return used
    if (predecessor !== null) await storeUntil(tx, 'refresh_token', predecessor, expires_at)
    const consumed_at = isUsedNew && use !== undefined ? use.at : null
    const stored = { ...row, client, consumed_at, removable_from: expires_at }
    await Promise.all([tx.run(upsert, stored), useOf(tx, row, client, at)])
    return E.right(forgets ? await tx.run(forgetExpired, { at, kind, hash }) : 0)
  })
}

const deleteArtefact = together(change('DELETE FROM artefacts WHERE kind = :kind AND hash = :hash', byKey))
const deleteOfGrant = together(change('DELETE FROM artefacts WHERE grant_hash = :grant', { grant: 'text' }))

const removeGrant = (grant: TokenHash) =>
  verb({ changes: [artefactOf('grant', grant)] }, async (tx) => {
    await tx.run(deleteArtefact, { kind: 'grant', hash: grant })
    await tx.run(deleteOfGrant, { grant })
    return E.right(undefined)
  })

export const createArtefacts = (engine: Engine, encryption: Encryption): Artefacts => {
  const read = readRow(artefacts.reading(encryption))
  // Expired ones are removed once a second, and by the next that is stored where there are more.
  let forgotten: EpochSeconds | undefined = undefined
  const forgetsAt = (at: EpochSeconds): boolean => {
    const forgets = forgotten !== at
    forgotten = at
    return forgets
  }
  return {
    storeArtefact: (artefact, at, use) =>
      pipe(
        artefacts.seal(encryption, toRow(artefact), JSON.stringify(artefact.payload)),
        TE.flatMap((row) => storeArtefact({ row, at, use, forgets: forgetsAt(at) })),
        engine.write,
        TE.map((removed) => {
          if (removed === maxForgotten.artefacts) forgotten = undefined
        }),
      ),
    findArtefact: (kind, hash) => read(engine.get(byHash, { kind, hash })),
    findArtefactByName: (kind, name) => read(engine.get(byName, { kind, name })),
    useArtefact: (use) => engine.write(verb({ changes: namesOf(use) }, (tx) => useArtefact(tx, use))),
    removeArtefact: (kind, hash) =>
      engine.write(kind === 'grant' ? removeGrant(hash) : verbOf({}, deleteArtefact, { kind, hash })),
    removeGrant: (grant) => engine.write(removeGrant(grant)),
  }
}
