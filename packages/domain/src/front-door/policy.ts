// The operator's policy
export { decodeRegistrationPolicy, type PolicyFault } from '../policy/decode-registration-policy.js'
export { adjustmentTexts, type Adjustment, type AdjustmentId } from '../registration/adjustments.js'
export {
  droppedMembers,
  droppedText,
  droppedWarnings,
  presetMembers,
  repeatedMembers,
  type DroppedWarning,
  type Warning,
} from '../client/dropped-members.js'
export { nearestName } from '../codec/nearest-name.js'
export { warningsOf, type MetadataWarning, type WarningId } from '../registration/metadata-warnings.js'
export { noCeilings, noPolicy, type RegistrationPolicy } from '../policy/registration-policy.js'
export { type SignedBodiesPolicy } from '../policy/signed-bodies-policy.js'
export { type GivenSoftwarePolicy, type Software, type SoftwarePolicy } from '../policy/software-policy.js'
export {
  asymmetricAlgorithms,
  contentEncryptions,
  isSymmetricSignature,
  keyManagementAlgorithms,
  symmetricAlgorithms,
} from '../client/algorithms.js'
export { type Abilities, type CryptographicMember, listedAlgorithms } from '../policy/supported-algorithms.js'

// Requests that are signed as a whole
export { keySetUnavailable, type KeySetUnavailable, type SignedBodies } from '../ports/signed-bodies.js'
export { signedBody, type OpenedBody, type SignedBody } from '../registration/signed-body.js'
export {
  decideSignedBody,
  type DecidedBody,
  type SignatureFault,
  type SignedBodyFacts,
} from '../registration/decide-signed-body.js'
