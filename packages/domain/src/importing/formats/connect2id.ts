// Connect2id server: the client information of GET /clients, with client_secret and registration_access_token.
import { isPlainObject } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { clientRecord, noClient, textOf } from './record-parts.js'
import { draftOf } from './standard-names.js'

export const readConnect2idClient: ReadClientRecord = (record) =>
  isPlainObject(record) && textOf(record, 'client_id') !== undefined ? clientRecord(draftOf(record)) : noClient()
