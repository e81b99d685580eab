// Records whose members have the names of RFC 7591: those of node-oidc-provider, Connect2id and Ory Hydra.
import { ownMember } from '../../codec/json-object.js'
import type { ClientDraft } from '../client-draft.js'
import { type JsonRecord, present } from './record-parts.js'

// RFC 7591 §3.2.1, RFC 7592 §3: what a server issues, which is no metadata
const issued = [
  'client_id',
  'client_secret',
  'client_secret_expires_at',
  'client_id_issued_at',
  'registration_access_token',
  'registration_client_uri',
]

/** The draft of a client information response. */
export const draftOf = (record: JsonRecord): ClientDraft => ({
  client_id: ownMember(record, 'client_id'),
  ...present({
    client_secret: ownMember(record, 'client_secret'),
    client_secret_expires_at: ownMember(record, 'client_secret_expires_at'),
    client_id_issued_at: ownMember(record, 'client_id_issued_at'),
    registration_access_token: ownMember(record, 'registration_access_token'),
  }),
  metadata: present(Object.fromEntries(Object.entries(record).filter(([name]) => !issued.includes(name)))),
})
