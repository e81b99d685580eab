// The key set and its rotation: RFC 7517
export { changedKids } from '../keys/changed-kids.js'
export { isInTime, maxReadAge, maxSkew, maxStoringTime, presentTime, type LastRead } from '../keys/last-read.js'
export { permitSigning, type SigningRefusal, type SigningRequest } from '../keys/permit-signing.js'
export { forgottenAt, notForgotten, retireRing } from '../keys/retire-ring.js'
export {
  ForeignKey,
  ForeignKeyDescription,
  addForeignKeys,
  maxForeignKeys,
  type NewForeignKey,
  type TooManyForeignKeys,
} from '../keys/foreign-key.js'
export { revoke, type RevokedKey, type UnknownKid } from '../keys/revoke.js'
export { KeyDescription, describeKeys } from '../keys/describe-keys.js'
export { maxAgeOf, nextChange, publishedKeys } from '../keys/published-keys.js'
export { type KeyPolicy } from '../keys/key-settings.js'
export { KeyRing, keysOf, signingKey, type KeyPhase, type KeyUse, type RingKey } from '../keys/key-ring.js'
export { encryptionRing, signingAlgorithms, type KeySettings, type RingName } from '../keys/key-settings.js'
export { ringFaults } from '../keys/ring-faults.js'
export {
  PublicJwk,
  type EcPublicJwk,
  type JwkSet,
  type OkpPublicJwk,
  type PublishedJwk,
  type RsaPublicJwk,
} from '../keys/public-jwk.js'
export { advance, secondsBehind } from '../keys/advance.js'
export { newRing, type GeneratedKey } from '../keys/new-ring.js'
export { needsSuccessor, rollOver, type KidKnown, type RollOverUnderWay } from '../keys/roll-over.js'

// Key operations and their ports
export { revokeKey, type RevokeKeyError, type RevokeKeyPorts } from '../use-cases/revoke-key.js'
export { type ImportedKeys } from '../keys/import-keys.js'
export { importKeys, type ImportKeysError } from '../use-cases/import-keys.js'
export { type KeySetReader } from '../ports/key-set-reader.js'
export { unreadKeys, type KeyState } from '../keys/key-state.js'
export { readKeyState, type ReadKeyStatePorts } from '../use-cases/read-key-state.js'
export { keyRingsLease, rotateKeys, type RotateKeysPorts } from '../use-cases/rotate-keys.js'
export {
  manageKeys,
  type RevokedKeyList,
  type KeyList,
  type KeyManagement,
  type ManageKeysPorts,
} from '../use-cases/manage-keys.js'
export { publishJwkSet } from '../use-cases/publish-jwk-set.js'
export {
  rollOverKeys,
  type RollOverError,
  type RollOverPorts,
  type UnknownAlgorithm,
} from '../use-cases/roll-over-keys.js'
export {
  keyRingChanged,
  unreadableKeyRing,
  type KeyMaker,
  type KeyRingChanged,
  type KeyRings,
  type KeyRingChange,
  type KeyRingVersion,
  type UnreadableKeyRing,
} from '../ports/key-rings.js'
export { type ForeignKeys } from '../ports/foreign-keys.js'
export { type JwkSetSource, type PublishedJwkSet } from '../ports/key-set-reader.js'
export { type ObjectDecrypter, type UndecryptableObject } from '../ports/object-decrypter.js'
export { isOwnTokenType, ownTokenTypes, type UnsignedToken } from '../keys/unsigned-token.js'
export { type NoSuchRing, type TokenSigner } from '../ports/token-signer.js'
export { type JwsSigner, type SigningKey } from '../ports/jws-signer.js'
