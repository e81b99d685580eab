/**
 * The cryptography of the service behind the ports of the domain, by jose (JWS, JWE, JWK) and WebCrypto, in any
 * JavaScript runtime: key pairs, signed tokens, ID token hints, request objects, software statements, responses of
 * login pages, JWK Sets, and sealed values that browsers keep. `@clientele/adapters-jose/node` uses Node for the sealing of stored
 * values, digests and random values.
 */
export { createIdTokenHints } from './id-token-hints.js'
export { createKeyMaker } from './key-maker.js'
export { type KeySource } from './key-source.js'
export {
  createKeyRotationScheduler,
  reconcileInterval,
  type KeyRotationFailure,
  type KeyRotationOptions,
  type KeyRotationPorts,
  type KeyRotationScheduler,
} from './key-rotation-scheduler.js'
export { createCheckpointSigner, createCheckpointVerifier } from './audit-checkpoints.js'
export { createJwsSigner } from './jws-signer.js'
export { createObjectDecrypter } from './object-decrypter.js'
export { readPrivateJwkSet } from './private-jwk-set.js'
export { readPublicJwkSet } from './public-jwk-set.js'
export { createTokenSigner } from './token-signer.js'
export { createSignedBodies } from './signed-bodies.js'
export { createSoftwareStatements, type TrustedIssuer } from './software-statements.js'
export {
  createSealedConfirmations,
  createSealedTexts,
  type ConfirmationCipher,
  type ConfirmationCiphers,
  type SealedTexts,
} from './sealed-confirmations.js'
export { createHandOverReader, type HandOverKey, type HandOverReader } from './hand-over-reader.js'
export { base64url, utf8 } from './bytes.js'
export { webConfirmationCiphers } from './web-confirmation-ciphers.js'
