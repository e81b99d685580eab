// Replaces a session by its next version: the proof is verified before the transaction, which compares the proven row.
import {
  type Encryption,
  type EndUserSession,
  type SessionChanged,
  type SessionClient,
  type Unavailable,
  sessionChanged,
} from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { prove, requireProof } from './row-context.js'
import { sessionContext, unreadableSession } from './session-row.js'

const StoredProof = t.type({ cookie_hash: t.string, proof: t.string })

/** The proof of the stored row, and the proof of its replacement. */
export type ReplacementProofs = { readonly proof_read: string; readonly proof: string }

const isSame = (one: SessionClient, other: SessionClient | undefined): boolean =>
  one.registration_id === other?.registration_id && one.sub === other.sub && one.sid === other.sid

/** Most replacements only record a use. */
export const hasSameClients = ({ clients: next }: EndUserSession, { clients: before }: EndUserSession): boolean =>
  next.length === before.length && next.every((client, index) => isSame(client, before[index]))

/**
 * The proofs for the row (`cookie_hash`, `proof`) of the session that is replaced. An unproven row must not get a proof
 * through its replacement, because its cookie could be forged.
 */
export const replacementProofs =
  (encryption: Encryption) =>
  (
    selected: TE.TaskEither<Unavailable, unknown>,
    next: EndUserSession,
    replacing: EndUserSession,
  ): TE.TaskEither<SessionChanged | Unavailable, ReplacementProofs> =>
    pipe(
      selected,
      TE.filterOrElseW(StoredProof.is, () => sessionChanged),
      TE.tap((row) =>
        pipe(
          requireProof(encryption, row.proof, sessionContext(row.cookie_hash, replacing), unreadableSession),
          TE.mapLeft((failure) => (failure.error === 'unreadable_row' ? sessionChanged : failure)),
        ),
      ),
      TE.flatMap((row) =>
        pipe(
          prove(encryption, sessionContext(row.cookie_hash, next)),
          TE.map((proof) => ({ proof_read: row.proof, proof })),
        ),
      ),
    )
