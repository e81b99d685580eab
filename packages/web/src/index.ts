/**
 * All ports of a handler of `@clientele/adapters-http/fetch`, or of a listener, in memory: for demonstrations, for
 * tests, and as a start for hosts with a store of their own.
 *
 * The state is lost at the end of the process: clients, tokens, sessions, private keys, and the key that seals the
 * values of logout confirmation pages. Tokens are stored as their SHA-256. There are no outgoing requests: sector
 * identifiers are refused, no software statement is approved, and no logout token is sent. Nothing is logged, and no
 * address is known, until a host sets its own `log` and `remoteAddress`.
 *
 * Runs in any JavaScript runtime with WebCrypto. No random value is drawn and no key is generated before the first
 * call. There are no keys before `reconcileKeys` has been awaited once, and they rotate only when it is called.
 */
export { hashToken, webCredentialGenerator } from './credential-generator.js'
export { inMemoryPorts, type InMemoryOptions, type InMemoryPorts } from './in-memory-ports.js'
