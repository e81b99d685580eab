// The JSON Schemas of requests and answers: those of codecs follow from them, the others are written here.
import { AuditActor } from '@clientele/domain/audit'
import { clientMetadataSchema, presetMembers } from '@clientele/domain/client'
import { type JsonObject, EpochSeconds, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { ForeignKeyDescription, KeyDescription } from '@clientele/domain/keys'
import { NotificationDescription } from '@clientele/domain/logout'
import {
  AuditList,
  AuditVerification,
  ImportOutcome,
  InitialAccessTokenDescription,
  OperatorTokenDescription,
} from '@clientele/domain/operations'
import { Privileges } from '@clientele/domain/authorization'
import * as t from 'io-ts'

export type Schema = JsonObject

export const text: Schema = { type: 'string' }
export const uri: Schema = { type: 'string', format: 'uri' }
export const truth: Schema = { type: 'boolean' }
export const count: Schema = { type: 'integer', minimum: 0 }
/** Whole seconds since 1970-01-01T00:00:00Z. */
export const time: Schema = { type: 'integer', description: 'Seconds since 1970-01-01T00:00:00Z' }
const anyObject: Schema = { type: 'object' }

export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const oneOf = (...values: ReadonlyArray<string>): Schema => ({ enum: values })
export const either = (...schemas: ReadonlyArray<Schema>): Schema => ({ anyOf: schemas })

/** An object with these members; one whose name ends with ? may be left out. */
export const object = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
})

type Shape = {
  readonly required: Readonly<Record<string, t.Mixed>>
  readonly optional: Readonly<Record<string, t.Mixed>>
}

/** The members of a codec of objects; undefined for another one. */
const shapeOf = (codec: unknown): Shape | undefined => {
  if (codec instanceof t.ReadonlyType || codec instanceof t.ExactType || codec instanceof t.RefinementType)
    return shapeOf(codec.type)
  if (codec instanceof t.InterfaceType) return { required: codec.props as t.Props, optional: {} }
  if (codec instanceof t.PartialType) return { required: {}, optional: codec.props as t.Props }
  if (!(codec instanceof t.IntersectionType)) return undefined
  const parts = (codec.types as ReadonlyArray<t.Mixed>).map(shapeOf)
  return {
    required: Object.fromEntries(parts.flatMap((part) => Object.entries(part?.required ?? {}))),
    optional: Object.fromEntries(parts.flatMap((part) => Object.entries(part?.optional ?? {}))),
  }
}

const objectOf = ({ required, optional }: Shape): Schema =>
  object({
    ...Object.fromEntries(Object.entries(required).map(([name, codec]) => [name, schemaOf(codec)])),
    ...Object.fromEntries(Object.entries(optional).map(([name, codec]) => [`${name}?`, schemaOf(codec)])),
  })

const simple = (codec: unknown): Schema | undefined => {
  if (codec === EpochSeconds) return time
  if (codec instanceof t.StringType) return text
  if (codec instanceof t.NumberType) return { type: 'number' }
  if (codec instanceof t.BooleanType) return truth
  if (codec instanceof t.NullType) return { type: 'null' }
  if (codec instanceof t.LiteralType) return { const: codec.value as string }
  if (codec instanceof t.KeyofType) return oneOf(...Object.keys(codec.keys as object))
  return undefined
}

/** What a codec of io-ts takes, as far as a JSON Schema says it: what a codec of our own checks is left to it. */
const schemaOf = (codec: unknown): Schema => {
  const known = simple(codec)
  if (known !== undefined) return known
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return listOf(schemaOf(codec.type))
  if (codec instanceof t.UnionType) return either(...(codec.types as ReadonlyArray<t.Mixed>).map(schemaOf))
  const shape = shapeOf(codec)
  if (shape !== undefined) return objectOf(shape)
  return codec instanceof t.ReadonlyType || codec instanceof t.ExactType || codec instanceof t.RefinementType
    ? schemaOf(codec.type)
    : {}
}

const { properties } = clientMetadataSchema
const members = isJsonObject(maxDepth)(properties) ? properties : {}
const metadata = Object.fromEntries(Object.entries(members).filter(([name]) => !presetMembers.includes(name)))

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Client metadata, with more members. */
const described = (more: Readonly<Record<string, Schema>>): Schema => ({ allOf: [ref('ClientMetadata'), object(more)] })

const approval = object({ state: oneOf('pending', 'refused'), 'reason?': text, description: text })
const notice = object({ pointer: text, rule: text, description: text })
const warned = listOf(object({ client_id: text, warnings: listOf(notice) }))

const page = (name: string, item: Schema): Schema => object({ [name]: listOf(item), 'next?': text })

const preview = {
  'approval?': approval,
  added: anyObject,
  adjustments: listOf(notice),
  dropped: listOf(text),
  warnings: listOf(notice),
  'client_id?': text,
  'client_id_issued_at?': time,
  'registration_client_uri?': uri,
}

const refusalGroup = { door: text, rule: text, sender: text }

const listedClient = {
  client_id: text,
  'client_id_issued_at?': time,
  'client_secret_expires_at?': time,
  'state?': oneOf('unused', 'active', 'idle', 'parked', 'pending', 'refused', 'suspended', 'gone'),
  'last_use?': time,
  'suspended_at?': time,
  'refusal_reason?': text,
  'registered_by?': oneOf('nobody', 'token', 'operator_token', 'master'),
  'origin?': oneOf('document', 'import', 'statement', 'token', 'operator', 'open'),
  'token?': text,
  'statement_issuer?': text,
  'declared?': text,
  'entity_tag?': text,
}

const policyEntry = object({
  pointer: text,
  client_id: text,
  'scope?': listOf(text),
  'resources?': listOf(text),
  'access_token_lifetime?': count,
  'refresh_token_lifetime?': count,
  'skip_consent?': truth,
  effects: listOf(text),
})

const unreadable = object({ client_id: text, unreadable: { const: true } })

const sessionClient = object({ client_id: text, sub: text, sid: text })

const session = {
  sid: text,
  sub: text,
  auth_time: time,
  used_at: time,
  idle_lifetime: count,
  expires_at: time,
  ends_at: time,
  clients: listOf(sessionClient),
}

const connection = object({
  id: text,
  state: oneOf('live', 'revoked'),
  client_id: text,
  'client_name?': text,
  sub: text,
  scopes: listOf(text),
  resources: { type: 'object', additionalProperties: listOf(text) },
  since: time,
  'last_use?': time,
  access_tokens: count,
  refresh_tokens: count,
  'revoked_at?': time,
  'revoked_by?': schemaOf(AuditActor),
})

const key = schemaOf(KeyDescription)
const keyList = { keys: listOf(key), 'foreign?': listOf(schemaOf(ForeignKeyDescription)) }

const exported = object({
  clientele_client: count,
  client_id: text,
  client_id_issued_at: time,
  registered_by: text,
  privileges: schemaOf(Privileges),
  'client_secret?': text,
  'client_secret_expires_at?': time,
  'registration_access_token?': text,
  'provenance?': anyObject,
  'suspended_at?': time,
  'approval?': anyObject,
  'last_used_at?': time,
  metadata: anyObject,
})

/** The schemas that have a name. */
export const schemas = {
  // Generators make a type of all members of a pattern, which no member of another type would satisfy.
  ClientMetadata: {
    type: 'object',
    description: 'RFC 7591 §2.2: members for people may have a language tag, as in client_name#fr.',
    properties: metadata,
  },
  RegistrationRequest: described(
    Object.fromEntries(presetMembers.map((name) => [`${name}?`, members[name] as Schema])),
  ),
  Client: described({
    client_id: text,
    client_id_issued_at: time,
    'client_secret?': text,
    'client_secret_expires_at?': time,
    'registration_access_token?': text,
    registration_client_uri: uri,
    'approval?': approval,
    'warnings?': listOf(notice),
  }),
  ClientPreview: described(preview),
  PatchPreview: described({
    ...preview,
    changes: listOf(
      object({ member: text, change: oneOf('added', 'removed', 'replaced'), 'before?': {}, 'after?': {} }),
    ),
  }),
  UnreadableClient: unreadable,
  ListedClient: described(listedClient),
  ReadClient: described({ ...listedClient, 'policy_entry?': policyEntry }),
  ClientPage: page('clients', ref('ListedClient')),
  RemovalPage: object({
    announced: object({ clients: count, within_a_day: count, within_a_week: count, 'first_at?': time }),
    removed: listOf(described({ ...listedClient, removed_at: time, restorable_until: time })),
    'next?': text,
  }),
  ClientSecrets: object({
    client_id: text,
    'client_secret?': text,
    'client_secret_expires_at?': time,
    registration_access_token: text,
  }),
  ListedSecrets: object({
    client_id: text,
    secrets: listOf(
      object({
        secret: oneOf('newest', 'preceding'),
        created_at: time,
        client_secret_expires_at: time,
        'last_use?': time,
        'ends_at?': time,
      }),
    ),
  }),
  AddedSecret: object({
    client_id: text,
    client_secret: text,
    client_secret_expires_at: time,
    'preceding_ends_at?': time,
  }),
  RefusalList: object({
    counts: listOf(object({ ...refusalGroup, software: text, times: count, first_at: time, last_at: time })),
    refusals: listOf(object({ ...refusalGroup, at: time, software: text, rules: listOf(text), 'client_id?': text })),
  }),
  ChangedClient: object({ client_id: text, unchanged: truth, 'warnings?': listOf(notice) }),
  RestoredClient: object({ client_id: text }),
  JudgedClient: object({
    client_id: text,
    'client_name?': text,
    faults: listOf(notice),
    exceeding: schemaOf(Privileges),
    'beyond_entry?': listOf(text),
  }),
  ExportedClient: exported,
  ImportOutcomes: object({ clients: listOf(schemaOf(ImportOutcome)) }),
  BulkRequest: object({ filter: anyObject, 'dry_run?': truth, 'count?': count, 'next?': text, 'reason?': text }),
  BulkAnswer: either(
    object({ count }),
    object({
      changed: count,
      unchanged: count,
      'unreadable?': listOf(text),
      'warned?': warned,
      'next?': text,
    }),
  ),
  InterruptedBulk: object({
    error: text,
    error_description: text,
    changed: count,
    failed: count,
    'warned?': warned,
    next: text,
  }),
  Connection: connection,
  ConnectionPage: page('connections', ref('Connection')),
  IssuedToken: object({
    access_token: text,
    token_type: { const: 'Bearer' },
    expires_in: count,
    scope: text,
    id: text,
  }),
  ConsoleTicket: object({ ticket: text, console: text, expires_in: count, scope: text, id: text }),
  InitialAccessTokenList: object({ tokens: listOf(schemaOf(InitialAccessTokenDescription)), more: truth }),
  OperatorTokenList: object({ tokens: listOf(schemaOf(OperatorTokenDescription)), more: truth }),
  SessionClient: sessionClient,
  Session: object(session),
  StartedSession: object({ ...session, cookie: object({ name: text, value: text }), set_cookie: text }),
  SessionList: object({ sessions: listOf(ref('Session')) }),
  KeyList: object(keyList),
  RevokedKeyList: object({ ...keyList, phase: text, consequences: listOf(text) }),
  JwkSet: object({ keys: listOf(anyObject) }),
  EncryptionKeyList: object({
    seals_with: text,
    opens_with: listOf(text),
    kept_in: oneOf('file', 'settings'),
    values: count,
    sealing_otherwise: listOf(text),
  }),
  SealedValues: object({ values: count, sealed: count, unreadable: count, 'next?': text }),
  AuditList: schemaOf(AuditList),
  AuditVerification: schemaOf(AuditVerification),
  NotificationList: object({ notices: listOf(schemaOf(NotificationDescription)), more: truth }),
  RetriedNotifications: object({ retried: count, delivers: truth }),
  Reloaded: object({ reloaded: listOf(text), waiting: listOf(text) }),
  Live: object({ status: { const: 'ok' } }),
  Readiness: object({
    status: oneOf('ok', 'unavailable'),
    checks: listOf(object({ name: text, status: oneOf('ok', 'failed'), 'detail?': text })),
  }),
  Fault: object({ pointer: text, rule: text, description: text, documentation: uri }),
  // RFC 7591 §3.2.2, RFC 6749 §5.2, with the faults and what helps to mend them.
  Refusal: object({
    error: text,
    error_description: text,
    'errors?': listOf(ref('Fault')),
    'scope?': text,
    'known?': listOf(text),
    'faults?': listOf(text),
    'signs_from?': time,
    'count?': count,
  }),
} satisfies Readonly<Record<string, Schema>>

export type SchemaName = keyof typeof schemas

export const named = (name: SchemaName): Schema => ref(name)
