// The provenance of a client in the record of an export.
import { isPlainObject } from '../codec/json-object.js'
import { type Provenance, recordedProvenance } from '../registration/provenance.js'

/** What an export says: that this store imported the client is of this store alone. */
export const earlierProvenance = (provenance: Provenance | undefined): Provenance | undefined =>
  recordedProvenance(provenance?.token, provenance?.statement_issuer)

/** Of a client that an import brings, with what its record says of an earlier registration. */
export const importedProvenance = (drafted: unknown): Provenance => ({
  ...(isPlainObject(drafted) ? recordedProvenance(drafted['token'], drafted['statement_issuer']) : {}),
  imported: true,
})
