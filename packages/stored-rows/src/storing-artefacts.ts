// What stores in SQL have in common when they store an artefact.
import {
  type EpochSeconds,
  type RefusedArtefact,
  type TokenHash,
  unknownClient,
  unknownGrant,
  unknownSession,
} from '@clientele/domain'
import type { NewArtefactRow } from './artefact-row.js'

const replaced = ['name', 'client', 'grant_hash', 'session', 'sub', 'predecessor', 'expires_at', 'payload'] as const

/**
 * The statement, for the eleven values of the columns in this order, and the function of the database for the greater of
 * two numbers. The uses of a replaced artefact are not touched.
 */
export const upsertArtefact = (values: string, greater: 'max' | 'greatest'): string => `
INSERT INTO artefacts
  (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, payload)
VALUES (${values})
ON CONFLICT (kind, hash) DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')},
  removable_from = ${greater}(artefacts.removable_from, excluded.expires_at)`

/** Whether the store has what an artefact ends with; true where it names none. */
type NamedByArtefact = {
  readonly client: boolean
  readonly session: boolean
  readonly grant: boolean
}

/** Why an artefact is not stored, if something that it ends with has ended. */
export const refusalWithout = ({ client, session, grant }: NamedByArtefact): RefusedArtefact | undefined => {
  if (!client) return unknownClient
  if (!session) return unknownSession
  return grant ? undefined : unknownGrant
}

/** The artefacts that are stored for as long as this one, because it names them. */
export const storedUntil = ({
  grant_hash,
  predecessor,
  expires_at,
}: Pick<NewArtefactRow, 'grant_hash' | 'predecessor' | 'expires_at'>): ReadonlyArray<
  readonly ['grant' | 'refresh_token', TokenHash, EpochSeconds]
> => [
  ...(grant_hash === null ? [] : [['grant', grant_hash, expires_at] as const]),
  ...(predecessor === null ? [] : [['refresh_token', predecessor, expires_at] as const]),
]
