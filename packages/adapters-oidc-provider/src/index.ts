/**
 * The authorization server of the service: oidc-provider, on the registry, keys, sessions and store of the service. Import it only
 * where it is used: `loadEngine` loads the engine when it is called.
 */
export { loadEngine, type EngineMaker, type OnWarning } from './load-engine.js'
export type {
  Engine,
  EnginePorts,
  EngineRefusal,
  EngineReport,
  EngineSessions,
  EngineSettings,
  ErrorPage,
  KnownClients,
  ReadHint,
  SessionCookie,
} from './ports.js'
export { engineMetadata, enginePaths, idTokenLifetime, servedBy } from './abilities.js'
