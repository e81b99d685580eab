import {
  type Artefact,
  type Encryption,
  type StoredArtefact,
  type Unavailable,
  ClientId,
  EpochSeconds,
  RegistrationId,
  Subject,
  TokenHash,
  artefactKinds,
  isParsedObject,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, unreadableRow } from './read-row.js'
import { rowContext } from './row-context.js'

const orNull = <Codec extends t.Mixed>(codec: Codec): t.UnionC<[Codec, t.NullC]> => t.union([codec, t.null])

const isKind = (value: unknown): value is Artefact['kind'] => artefactKinds.some((kind) => kind === value)
const Kind = new t.Type<Artefact['kind']>(
  'ArtefactKind',
  isKind,
  (value, context) => (isKind(value) ? t.success(value) : t.failure(value, context)),
  identity,
)

/** The columns of the context of an artefact, with the ids of its client: what it is, whose, and what it ends with. */
const Bound = t.type({
  kind: Kind,
  hash: TokenHash,
  name: orNull(TokenHash),
  client_id: orNull(ClientId),
  registration_id: orNull(RegistrationId),
  grant_hash: orNull(TokenHash),
  session: orNull(Subject),
  sub: orNull(Subject),
  predecessor: orNull(TokenHash),
  expires_at: EpochSeconds,
})

/** A row of the table artefacts, with the ids of its client. */
export const ArtefactRow = t.intersection([
  Bound,
  t.type({ consumed_at: orNull(EpochSeconds), successor: orNull(TokenHash), payload: t.string }),
])
type Row = t.TypeOf<typeof ArtefactRow>

/** The columns that are written with an artefact; the ids of its client are those of the referenced row. */
export type NewArtefactRow = t.TypeOf<typeof Bound> & Pick<Row, 'payload'>

/**
 * The context of the payload. The uses are not part of it, because the row that consumes is not decrypted: a writer of
 * the database who resets them could as well restore the row from before.
 */
export const artefactContext = (row: t.TypeOf<typeof Bound>): string =>
  rowContext('artefacts', [
    row.kind,
    row.hash,
    row.name,
    row.client_id,
    row.registration_id,
    row.grant_hash,
    row.session,
    row.sub,
    row.predecessor,
    row.expires_at,
  ])

const unreadable = unreadableRow('an artefact of the authorization server cannot be read')

type Present<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> }

/** Members of which the column is null are left out. */
const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Present<Members>

const orNone = <Value>(value: Value | undefined): Value | null => value ?? null

const clientOf = ({ client_id, registration_id }: Row): Artefact['client'] | null =>
  client_id === null || registration_id === null ? null : { client_id, registration_id }

const toArtefact = (row: Row, payload: StoredArtefact['payload']): StoredArtefact => {
  const optional = present({
    name: row.name,
    client: clientOf(row),
    grant: row.grant_hash,
    session: row.session,
    sub: row.sub,
    predecessor: row.predecessor,
    consumed_at: row.consumed_at,
    successor: row.successor,
  })
  return Object.assign({ kind: row.kind, hash: row.hash, expires_at: row.expires_at, payload }, optional)
}

/** The artefact of a row. */
export const fromArtefactRow =
  ({ open }: Encryption): ReadRow<StoredArtefact> =>
  (input) => {
    if (!ArtefactRow.is(input)) return TE.left(unreadable)
    return pipe(
      open(input.payload, artefactContext(input)),
      TE.map(
        O.flatMap((opened) =>
          pipe(
            O.tryCatch((): unknown => JSON.parse(opened)),
            O.filter(isParsedObject),
            O.map((payload) => toArtefact(input, payload)),
          ),
        ),
      ),
      TE.flatMapOption(identity, () => unreadable),
    )
  }

/** The row of an artefact, with its sealed payload. */
export const toArtefactRow =
  ({ seal }: Encryption) =>
  (artefact: Artefact): TE.TaskEither<Unavailable, NewArtefactRow> => {
    const { client, expires_at } = artefact
    const bound = {
      kind: artefact.kind,
      hash: artefact.hash,
      name: orNone(artefact.name),
      client_id: orNone(client?.client_id),
      registration_id: orNone(client?.registration_id),
      grant_hash: orNone(artefact.grant),
      session: orNone(artefact.session),
      sub: orNone(artefact.sub),
      predecessor: orNone(artefact.predecessor),
      expires_at,
    }
    return pipe(
      seal(JSON.stringify(artefact.payload), artefactContext(bound)),
      TE.map((payload) => Object.assign({ payload }, bound)),
    )
  }
