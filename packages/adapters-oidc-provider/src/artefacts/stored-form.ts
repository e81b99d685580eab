// From what the engine stores to an artefact, and back.
import type { HashText } from '@clientele/domain/authorization'
import { type JsonObject, EpochSeconds, isParsedObject } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { Artefact, ArtefactKind, StoredArtefact } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import type { AdapterPayload } from 'oidc-provider'

export type Upserted = { readonly id: string; readonly payload: AdapterPayload; readonly expiresAt: EpochSeconds }

/** What the engine does not say, and the store must know. */
export type Belongings = {
  readonly client: Registration | undefined
  /** The sid of the end-user session with which it ends. */
  readonly session: string | undefined
  /** The value of the refresh token in whose place it was issued. */
  readonly predecessor: string | undefined
}

// JSON has no undefined. The identifier is the value of a token or a cookie: the party that asks for the artefact has it.
const withoutIdentifier = (payload: AdapterPayload): JsonObject => {
  const json: unknown = JSON.parse(JSON.stringify({ ...payload, jti: undefined }))
  return isParsedObject(json) ? json : {}
}

const subjectOf = ({ accountId, session }: AdapterPayload): Subject | undefined => {
  const sub = accountId ?? session?.accountId
  return Subject.is(sub) ? sub : undefined
}

type Optional = Pick<Artefact, 'name' | 'client' | 'grant' | 'session' | 'sub' | 'predecessor'>

// The members that have a value.
const present = (members: { readonly [Name in keyof Optional]: Optional[Name] | undefined }): Optional =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

export const artefactOf = (
  hash: HashText,
  kind: ArtefactKind,
  { id, payload, expiresAt }: Upserted,
  { client, session, predecessor }: Belongings,
): Artefact => ({
  kind,
  hash: hash(id),
  ...present({
    name: kind === 'session' && payload.uid !== undefined ? hash(payload.uid) : undefined,
    client,
    grant: payload.grantId === undefined ? undefined : hash(payload.grantId),
    session: Subject.is(session) ? session : undefined,
    sub: subjectOf(payload),
    predecessor: predecessor === undefined ? undefined : hash(predecessor),
  }),
  expires_at: expiresAt,
  payload: withoutIdentifier(payload),
})

/** What the engine stored; `consumed` is the time of the first use. */
export const payloadOf = ({ payload, consumed_at }: StoredArtefact, id: string | undefined): AdapterPayload => ({
  ...payload,
  ...(id === undefined ? {} : { jti: id }),
  ...(consumed_at === undefined ? {} : { consumed: consumed_at }),
})

export const endOf = (now: EpochSeconds, seconds: number | undefined, exp: number | undefined): EpochSeconds => {
  const end = seconds === undefined ? (exp ?? now) : now + Math.max(seconds, 0)
  return EpochSeconds.is(end) ? end : now
}
