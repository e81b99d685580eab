import { fault } from '../../codec/fault.js'
import { contentMembers, members } from '../members.js'
import type { MetadataRule } from './rule.js'

// OpenID Registration §2, JARM §3, RFC 9701 §6: _enc requires _alg
export const encryptionAlgorithms: ReadonlyArray<MetadataRule> = contentMembers.map((enc) => ({
  members: [enc, members[enc].alg],
  faultsOf: (metadata) =>
    metadata[enc] !== undefined && metadata[members[enc].alg] === undefined
      ? [fault('encryption-needs-algorithm')(enc)]
      : [],
}))
