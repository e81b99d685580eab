// The format of clientele clients export: docs/import-export.md.
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { readableVersions } from '../exported-client.js'
import { importFault } from '../import-texts.js'
import { noClient, objectOf, present, textOf } from './record-parts.js'

export const readExportedClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record)) return noClient()
  const client_id = textOf(record, 'client_id')
  const version = ownMember(record, 'clientele_client')
  if (version === undefined) return noClient(client_id)
  if (!readableVersions.includes(version))
    return { kind: 'broken', client_id, faults: [importFault('import-version')('clientele_client')] }
  if (!isPlainObject(ownMember(record, 'metadata'))) return noClient(client_id)
  return {
    kind: 'client',
    draft: {
      client_id,
      metadata: objectOf(ownMember(record, 'metadata')),
      ...present({
        client_secret: ownMember(record, 'client_secret'),
        client_secret_expires_at: ownMember(record, 'client_secret_expires_at'),
        registration_access_token: ownMember(record, 'registration_access_token'),
        client_id_issued_at: ownMember(record, 'client_id_issued_at'),
        registered_by: ownMember(record, 'registered_by'),
        privileges: ownMember(record, 'privileges'),
        provenance: ownMember(record, 'provenance'),
        suspended_at: ownMember(record, 'suspended_at'),
        last_used_at: ownMember(record, 'last_used_at'),
      }),
    },
    notes: [],
  }
}
