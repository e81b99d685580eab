// Ory Hydra: the client of its administrative API, as hydra list clients and hydra get client print it, or the row of
// its table. It never shows a secret after the registration, and stores a hash of it.
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { importNote } from '../import-texts.js'
import { type JsonRecord, clientRecord, noClient, objectOf, present, textOf } from './record-parts.js'
import { draftOf } from './standard-names.js'
import { secondsOf } from './time-of.js'

// bcrypt and PBKDF2, by the setting oauth2.hashers.algorithm
const hash = /^\$(?:2[aby]|pbkdf2-sha\d+|argon2\w*)\$/

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0)

// Hydra writes a member without a value as an empty one, and none for a response that is not signed.
const saysSomething = ([name, value]: readonly [string, unknown]): boolean =>
  !isEmpty(value) && !(name === 'userinfo_signed_response_alg' && value === 'none')

const own = ['created_at', 'updated_at', 'metadata', 'skip_consent', 'skip_logout_consent', 'owner']
const isLifespan = (name: string): boolean => name.endsWith('_lifespan')
const isFalse = (value: unknown): boolean => value === false

const metadataOf = (metadata: JsonRecord, record: JsonRecord): JsonRecord => {
  const data = objectOf(ownMember(record, 'metadata'))
  const sent = Object.entries(metadata).filter((entry) => saysSomething(entry) && !own.includes(entry[0]))
  const named = sent.filter(([name, value]) => !isLifespan(name) && !(name.startsWith('skip_') && isFalse(value)))
  return Object.fromEntries([...named, ...(isEmpty(data) ? [] : [['data', data] as const])])
}

const isHashed = (secret: unknown): boolean => typeof secret === 'string' && hash.test(secret)

// The time of the registration has another name and form, and a secret may be hashed or empty.
const credentialsOf = (record: JsonRecord): JsonRecord => {
  const secret = ownMember(record, 'client_secret')
  const isUsable = !isEmpty(secret) && !isHashed(secret)
  return present({
    client_secret: isUsable ? secret : undefined,
    client_secret_expires_at: isUsable ? ownMember(record, 'client_secret_expires_at') : undefined,
    client_id_issued_at: ownMember(record, 'client_id_issued_at') ?? secondsOf(ownMember(record, 'created_at')),
    registration_access_token: ownMember(record, 'registration_access_token'),
  })
}

export const readHydraClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record) || textOf(record, 'client_id') === undefined) return noClient()
  const { client_id, metadata } = draftOf(record)
  return clientRecord(
    { client_id, ...credentialsOf(record), metadata: metadataOf(metadata, record) },
    isHashed(ownMember(record, 'client_secret')) ? [importNote('secret-hashed')('client_secret')] : [],
  )
}
