/**
 * The authorization server of the service: oidc-provider, on the registry, keys, sessions and store of the service. Import it only
 * where it is used: `loadEngine` loads the engine when it is called.
 */
export { loadEngine, type EngineMaker, type OnWarning } from './load-engine.js'
export type { Engine } from './engine.js'
export type { EngineRefusal, EngineReport } from './engine-refusal.js'
export type {
  EnginePorts,
  EngineSessions,
  EngineSettings,
  ErrorPage,
  KnownClients,
  ReadHint,
  SessionCookie,
} from './ports.js'
export { idTokenLifetime } from './lifetimes.js'
export { served } from './abilities.js'
export { engineMetadata } from './provider-metadata.js'
export { enginePaths } from './routes.js'
