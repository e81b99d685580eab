import { fault } from '../../codec/fault.js'
import { encryptionPairs } from '../client-metadata.js'
import type { MetadataRule } from './rule.js'

// OpenID Registration §2, JARM §3, RFC 9701 §6: _enc requires _alg
export const encryptionAlgorithms: ReadonlyArray<MetadataRule> = encryptionPairs.map(([enc, alg]) => ({
  members: [enc, alg],
  faultsOf: (metadata) =>
    metadata[enc] !== undefined && metadata[alg] === undefined ? [fault('encryption-needs-algorithm')(enc)] : [],
}))
