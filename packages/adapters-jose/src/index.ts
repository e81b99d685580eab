/**
 * The cryptography of the service behind the ports of the domain, by jose (JWS, JWE, JWK) and WebCrypto, in any JavaScript
 * runtime: key pairs, signed tokens, ID token hints, request objects, software statements, JWK Sets, and the sealed dialogs of
 * logout. `@clientele/adapters-jose/node` has what Node does better: the sealing of stored values, digests and random values.
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
export { createObjectDecrypter } from './object-decrypter.js'
export { readPrivateJwkSet } from './private-jwk-set.js'
export { readPublicJwkSet } from './public-jwk-set.js'
export { createTokenSigner } from './token-signer.js'
export { createSoftwareStatements, type TrustedIssuer } from './software-statements.js'
export { createSealedDialogs, type DialogCipher, type DialogCiphers } from './sealed-dialogs.js'
export { base64url, utf8 } from './bytes.js'
export { webDialogCiphers } from './web-dialog-ciphers.js'
