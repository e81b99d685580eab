/**
 * All that a handler of `@clientele/adapters-http/fetch`, or a listener, needs of the world, in memory: for demonstrations, for
 * tests, and as the place to begin from when a host has a store of its own.
 *
 * Everything is lost at the end of the process: clients, tokens, sessions, private keys, and the key that seals the dialogs of
 * logout, which are kept by the browsers alone. Tokens are known by their SHA-256. Nothing is fetched and nothing is delivered:
 * sector identifiers are refused, no software statement is approved, and nobody is told of logouts by back channel. Nothing is
 * logged, and no address is known, until a host puts its own `log` and `remoteAddress` in place.
 *
 * Runs in any JavaScript runtime with WebCrypto. Nothing is drawn and no key is made before the first call. There are no keys
 * before `reconcileKeys` has been awaited once, and they roll over only as often as it is called.
 */
export { hashToken, webCredentialGenerator } from './credential-generator.js'
export { inMemoryPorts, type InMemoryOptions, type InMemoryPorts } from './in-memory-ports.js'
