// The operator's policy
export { decodeRegistrationPolicy, type PolicyFault } from '../policy/decode.js'
export { adjustmentTexts, type Adjustment, type AdjustmentId } from '../registration/request.js'
export {
  droppedMembers,
  droppedText,
  droppedWarnings,
  presetMembers,
  repeatedMembers,
  type DroppedWarning,
  type Warning,
} from '../client/schema.js'
export { nearestName } from '../kernel/values.js'
export { warningsOf, type MetadataWarning, type WarningId } from '../registration/information.js'
export { noCeilings, noPolicy, type RegistrationPolicy } from '../policy/policy.js'
export { type SignedBodiesPolicy } from '../policy/policy.js'
export { type GivenSoftwarePolicy, type Software, type SoftwarePolicy } from '../policy/policy.js'
export {
  asymmetricAlgorithms,
  contentEncryptions,
  isSymmetricSignature,
  keyManagementAlgorithms,
  symmetricAlgorithms,
} from '../client/keys.js'
export { type Abilities, type CryptographicMember, listedAlgorithms } from '../policy/algorithms.js'

// Requests that are signed as a whole
export { keySetUnavailable, type KeySetUnavailable, type SignedBodies } from '../ports/outside.js'
export { signedBody, type OpenedBody, type SignedBody } from '../registration/signed-body.js'
export {
  decideSignedBody,
  type DecidedBody,
  type SignatureFault,
  type SignedBodyFacts,
} from '../registration/signed-body.js'
