import type {
  ClientRegistry,
  EndUserSessions,
  ForeignKey,
  Fresh,
  IdTokenHints,
  InitialAccessTokens,
  KeyManagement,
  KeySetReader,
  KeyPolicy,
  KeyRing,
  LogoutDialogs,
  LogoutManagement,
  LogoutPolicy,
  Logouts,
  MetadataWarning,
  ObjectDecrypter,
  RegistrationSettings,
  SectorIdentifiers,
  SessionLifetimes,
  SoftwareStatements,
  TokenHash,
  TokenSigner,
  Turns,
  Unavailable,
  UnreadableClient,
  WrittenNotices,
} from '@clientele/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { operatorAlone } from './http/bearer.js'
import type { PageRenderer } from './logout/rendered-page.js'

export type LogoutSettings = {
  readonly policy: LogoutPolicy
  /** The end-session endpoint after the base URL, as '/logout'; without it there is none. */
  readonly path: string | undefined
  readonly sessions: SessionLifetimes
}

/** What never changes while the service runs, and is served as it is. */
export type PublishedDocument = {
  /** After the base URL, as '/playground'. */
  readonly path: string
  /** Content-Type, and whatever else a browser has to know of it. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What the operator decides about the HTTP side. */
export type HttpSettings = {
  readonly registration: RegistrationSettings
  readonly keyPolicy: KeyPolicy
  /** The digest of the master token, or that the operator alone can send a request. */
  readonly masterToken: TokenHash | typeof operatorAlone
  /** The path of the base URL: '' or as '/op'. */
  readonly basePath: string
  readonly registrationStatus: 200 | 201
  readonly logout: LogoutSettings
  /** Origins whose pages may call the registration endpoints. */
  readonly corsOrigins: ReadonlyArray<string>
  /** What everybody is served beside the endpoints. */
  readonly documents?: ReadonlyArray<PublishedDocument>
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

/** How many stored values were sealed anew, and how many could not be opened with any key. */
export type SealedAnew = { readonly sealed: number; readonly unreadable: number }

/** What the handlers need from the world: the domain's ports, and more. */
export type HttpPorts = ClientRegistry &
  InitialAccessTokens &
  SoftwareStatements &
  SectorIdentifiers &
  EndUserSessions &
  Logouts &
  LogoutDialogs &
  IdTokenHints &
  KeySetReader &
  ObjectDecrypter &
  Fresh &
  Turns & {
    readonly renderPage: PageRenderer
    /** A session has ended: there may be applications to tell, and others that are not told any more. */
    readonly sessionEnded: (written: WrittenNotices) => void
    /** The key rings as they are published now. */
    readonly keyRings: () => ReadonlyArray<KeyRing>
    /** The keys of other signers that are published now. */
    readonly foreignKeys: () => ReadonlyArray<ForeignKey>
    readonly keys: KeyManagement
    /** Signs for the issuer, by the key that signs now. */
    readonly tokenSigner: (signing: { readonly issuer: string; readonly policy: KeyPolicy }) => TokenSigner
    /** Seals everything that is stored with the encryption key that seals now; without it, nothing is sealed here. */
    readonly sealAnew?: TaskEither<Unavailable, SealedAnew>
    /** The notices of logouts that are still owed to applications. */
    readonly logoutNotices: LogoutManagement
    readonly hashToken: (token: string) => TokenHash
    /** What readiness asks; each is told by its name. */
    readonly checks: ReadonlyArray<{ readonly name: string; readonly check: TaskEither<Unavailable, void> }>
    readonly isDraining: () => boolean
    /** A list held a stored client that cannot be read. */
    readonly logUnreadable: (client: UnreadableClient) => void
    /** A registration is made that names what the service does not ask. */
    readonly logWarnings: (clientId: string, warnings: ReadonlyArray<MetadataWarning>) => void
  }

/** What a shell needs from the world, and none of it may throw; `Peer` is what its runtime has of a request. */
export type ShellPorts<Peer> = {
  readonly requestId: () => string
  /** Told once for each request, when it is over. */
  readonly log: (entry: HttpLogEntry) => void
  /** Who asks, as far as the host knows. */
  readonly remoteAddress: (request: Peer) => string | undefined
}
