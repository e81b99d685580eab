// node-oidc-provider: what its adapter stores for the model Client, bare or within the record of the adapter.
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { type JsonRecord, clientRecord, leftOut, noClient, objectOf, textOf } from './record-parts.js'
import { draftOf } from './standard-names.js'

// Adapters keep the payload in a column or member of this name, as JSON or as its text.
const payloadOf = (record: JsonRecord): JsonRecord => {
  const payload = ownMember(record, 'payload')
  return payload === undefined ? record : objectOf(payload)
}

const modelNames = ['model', 'type', 'kind', 'name']

// The payload of a client has no kind; that of every other model has one.
const isOfOtherModel = (record: JsonRecord, payload: JsonRecord): boolean =>
  textOf(payload, 'kind') !== undefined ||
  (record !== payload &&
    modelNames.some((name) => {
      const model = textOf(record, name)
      return model !== undefined && model.toLowerCase() !== 'client'
    }))

// The value of a registration access token is its id, and its payload names the client: it may stand beside the payload.
const withToken = (record: JsonRecord, payload: JsonRecord): JsonRecord => {
  const token = ownMember(record, 'registration_access_token')
  return record === payload || token === undefined ? payload : { ...payload, registration_access_token: token }
}

export const readOidcProviderClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record)) return noClient()
  const payload = payloadOf(record)
  const client_id = textOf(payload, 'client_id')
  if (isOfOtherModel(record, payload)) return leftOut(client_id, 'not-a-client')
  return client_id === undefined ? noClient() : clientRecord(draftOf(withToken(record, payload)))
}
