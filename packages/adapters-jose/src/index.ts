/**
 * The cryptography of the service behind the ports of the domain, by jose (JWS, JWE, JWK) and WebCrypto, in any
 * JavaScript runtime: key pairs, signed tokens, ID token hints, request objects, software statements, responses of
 * login pages, JWK Sets, and sealed values that browsers keep. `@clientele/adapters-jose/node` uses Node for the sealing of stored
 * values, digests and random values.
 */
export { createIdTokenHints, type VerifySignature } from './id-token-hints.js'
export { createKeyMaker, type KeySource } from './ring-keys.js'
export {
  createKeyRotationScheduler,
  reconcileInterval,
  type KeyRotationFailure,
  type KeyRotationOptions,
  type KeyRotationPorts,
  type KeyRotationScheduler,
} from './key-rotation-scheduler.js'
export { createCheckpointSigner, createCheckpointVerifier, createJwsSigner, createTokenSigner } from './signing.js'
export { createObjectDecrypter } from './decrypting.js'
export { readPrivateJwkSet, readPublicJwkSet } from './jwk-sets.js'
export {
  createHandOverReader,
  createSignedBodies,
  createSoftwareStatements,
  type HandOverKey,
  type HandOverReader,
  type TrustedIssuer,
} from './tokens-of-others.js'
export { base64url } from 'jose'
export {
  createSealedConfirmations,
  createSealedTexts,
  webConfirmationCiphers,
  type ConfirmationCipher,
  type ConfirmationCiphers,
  type SealedTexts,
} from './sealed-confirmations.js'
