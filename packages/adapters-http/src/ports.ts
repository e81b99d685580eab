import type {
  ClientRegistry,
  EndUserSessions,
  ForOperator,
  Fresh,
  ImportedKeys,
  InitialAccessTokens,
  JwkSetSource,
  KeyManagement,
  LogoutManagement,
  Logouts,
  MetadataWarning,
  NewForeignKey,
  ObjectDecrypter,
  RequireOperatorPorts,
  SealedAnew,
  SectorIdentifiers,
  SoftwareStatements,
  TokenSigner,
  Turns,
  Unavailable,
  UnreadableClient,
} from '@clientele/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { HashToken, LogoutPorts, SessionEnded } from './logout/logout-ports.js'
import type { PageRenderer } from './logout/rendered-page.js'

export type { LogoutPorts } from './logout/logout-ports.js'

/** Of `/clients`, and of what the operator does with clients. */
export type ClientPorts = Omit<ClientRegistry, 'isRegistrationAccessToken'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  SoftwareStatements &
  SectorIdentifiers &
  Pick<Fresh, 'now' | 'issue'> &
  Turns & {
    /** A list held a stored client that cannot be read. */
    readonly logUnreadable: (client: UnreadableClient) => void
    /** A registration is made that names what the service does not ask. */
    readonly logWarnings: (clientId: string, warnings: ReadonlyArray<MetadataWarning>) => void
  }

/** Of `/direct-authz` and `/initial-access-tokens`. */
export type TokenPorts = Omit<InitialAccessTokens, 'findInitialAccessToken'> & Pick<Fresh, 'now' | 'initialAccessToken'>

/** Of `/sessions`. */
export type SessionPorts = EndUserSessions &
  Pick<Logouts, 'endSession'> &
  Pick<ClientRegistry, 'findClient' | 'findClients'> &
  Pick<Fresh, 'now' | 'cookie' | 'identifier'> &
  Turns & { readonly hashToken: HashToken; readonly sessionEnded: SessionEnded }

export type ReadKeys<Key> = (json: unknown) => TaskEither<ReadonlyArray<string>, ReadonlyArray<Key>>

/** Of `/keys`. The private keys are in no port: they stay where tokens are signed and objects decrypted. */
export type KeyPorts = {
  readonly management: ForOperator<KeyManagement>
  /** The keys of a JWK Set, or all that is wrong with it. */
  readonly readPrivateJwkSet: ReadKeys<ImportedKeys>
  readonly readPublicJwkSet: ReadKeys<NewForeignKey>
  readonly signerOf: (issuer: string) => ForOperator<TokenSigner>
  readonly decrypter: ForOperator<ObjectDecrypter>
}

/** Of `/health`. */
export type HealthPorts = {
  /** What readiness asks; each is told by its name. */
  readonly checks: ReadonlyArray<{ readonly name: string; readonly check: TaskEither<Unavailable, void> }>
  readonly isDraining: () => boolean
}

/** What the routes need from the world: each family has its own. */
export type HttpPorts = {
  readonly clients: ClientPorts
  readonly tokens: TokenPorts
  readonly sessions: SessionPorts
  readonly logout: LogoutPorts
  /** The notices of logouts that are still owed to applications. */
  readonly notices: ForOperator<LogoutManagement>
  readonly jwkSet: JwkSetSource
  readonly keys: KeyPorts
  /** Seals everything that is stored with the encryption key that seals now; without it, nothing is sealed here. */
  readonly sealAnew?: ForOperator<TaskEither<Unavailable, SealedAnew>>
  readonly health: HealthPorts
  /** What shows that a credential is the operator's. */
  readonly operator: RequireOperatorPorts
  readonly hashToken: HashToken
  /** The pages for browsers where there is no route. */
  readonly renderPage: PageRenderer
}

/** One line of the log for one request: no header, query or body, and the route's pattern in place of the path. */
export type HttpLogEntry = {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly remote_address?: string
  readonly detail?: unknown
  /** Why a page says what it says. */
  readonly reason?: string
  /** Why the request was refused: a code of the standards or of the transport. */
  readonly error?: string
  /** The rules that the body breaks, by their ids. */
  readonly rules?: ReadonlyArray<string>
  /** The client that a refused request is about, where it exists. */
  readonly client_id?: string
}

/** What a shell needs from the world, and none of it may throw; `Peer` is what its runtime has of a request. */
export type ShellPorts<Peer> = {
  readonly requestId: () => string
  /** Told once for each request, when it is over. */
  readonly log: (entry: HttpLogEntry) => void
  /** Who asks, as far as the host knows. */
  readonly remoteAddress: (request: Peer) => string | undefined
}
