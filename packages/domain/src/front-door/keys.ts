// The key set and its rotation: RFC 7517
export { changedKids } from '../keys/roll-over.js'
export { isInTime, maxReadAge, maxSkew, maxStoringTime, presentTime, type LastRead } from '../keys/ring.js'
export { permitSigning, type SigningRefusal, type SigningRequest } from '../keys/signing.js'
export { forgottenAt, notForgotten, retireRing } from '../keys/roll-over.js'
export {
  ForeignKey,
  ForeignKeyDescription,
  addForeignKeys,
  maxForeignKeys,
  type NewForeignKey,
  type TooManyForeignKeys,
} from '../keys/by-operator.js'
export { revoke, type RevokedKey, type UnknownKid } from '../keys/by-operator.js'
export { KeyDescription, describeKeys } from '../keys/published.js'
export { maxAgeOf, nextChange, publishedKeys } from '../keys/published.js'
export { type KeyPolicy } from '../keys/ring.js'
export { KeyRing, keysOf, signingKey, type KeyPhase, type KeyUse, type RingKey } from '../keys/ring.js'
export { encryptionRing, signingAlgorithms, type KeySettings, type RingName } from '../keys/ring.js'
export { ringFaults } from '../keys/signing.js'
export {
  PublicJwk,
  type EcPublicJwk,
  type JwkSet,
  type OkpPublicJwk,
  type PublishedJwk,
  type RsaPublicJwk,
} from '../keys/ring.js'
export { advance, secondsBehind } from '../keys/roll-over.js'
export { newRing, type GeneratedKey } from '../keys/roll-over.js'
export { needsSuccessor, rollOver, type KidKnown, type RollOverUnderWay } from '../keys/roll-over.js'

// Key operations and their ports
export { revokeKey, type RevokeKeyError, type RevokeKeyPorts } from '../operations/keys.js'
export { type ImportedKeys } from '../keys/by-operator.js'
export { importKeys, type ImportKeysError } from '../operations/keys.js'
export { type KeySetReader } from '../ports/outside.js'
export { unreadKeys, type KeyState } from '../keys/published.js'
export { readKeyState, type ReadKeyStatePorts } from '../operations/roll-over.js'
export { keyRingsLease, rotateKeys, type RotateKeysPorts } from '../operations/roll-over.js'
export {
  manageKeys,
  type RevokedKeyList,
  type KeyList,
  type KeyManagement,
  type ManageKeysPorts,
} from '../operations/keys.js'
export { publishJwkSet } from '../operations/roll-over.js'
export { rollOverKeys, type RollOverError, type RollOverPorts, type UnknownAlgorithm } from '../operations/roll-over.js'
export {
  keyRingChanged,
  unreadableKeyRing,
  type KeyMaker,
  type KeyRingChanged,
  type KeyRings,
  type KeyRingChange,
  type KeyRingVersion,
  type UnreadableKeyRing,
} from '../ports/store.js'
export { type ForeignKeys } from '../ports/store.js'
export { type JwkSetSource, type PublishedJwkSet } from '../ports/outside.js'
export { type ObjectDecrypter, type UndecryptableObject } from '../ports/outside.js'
export { isOwnTokenType, ownTokenTypes, type UnsignedToken } from '../keys/signing.js'
export { type NoSuchRing, type TokenSigner } from '../ports/outside.js'
export { type JwsSigner, type SigningKey } from '../ports/outside.js'
