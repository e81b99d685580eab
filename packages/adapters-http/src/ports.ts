import type { ForOperator } from '@clientele/domain/authorization'
import type { DroppedWarning } from '@clientele/domain/client'
import type { InvalidRequest, InvalidSettings, Unavailable } from '@clientele/domain/kernel'
import type { ImportedKeys, NewForeignKey } from '@clientele/domain/keys'
import type {
  AuditList,
  AuditParameters,
  AuditVerification,
  ByRequest,
  KeyManagement,
  NotificationManagement,
  OperationPorts,
  sealValues,
  VerifyAuditRequest,
} from '@clientele/domain/operations'
import type { DocumentPolicy } from '@clientele/domain/policy'
import type {
  Artefacts,
  ClientLogos,
  BudgetConsumption,
  Consents,
  EncryptionKeys,
  EndUserClaims,
  EndUserLogin,
  IdTokenHints,
  Interactions,
  JwkSetSource,
  LogoutConfirmations,
  LogoutElsewherePorts,
  ObjectDecrypter,
  SectorIdentifiers,
  SignedBodies,
  SoftwareStatements,
  TokenSigner,
  UnreadableClient,
  WrittenNotifications,
} from '@clientele/domain/ports'
import type { ConsentPolicy } from '@clientele/domain/provider'
import type { Adjustment, MetadataWarning } from '@clientele/domain/registration'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Actor } from './http/response.js'
import type { PageRenderer, RenderedPage } from './pages/page.js'
import type { TraceContext } from './trace-context.js'

/** What the operations of all routes ask for: the store, tokens and pages of this service, and its budgets. */
export type ServicePorts = OperationPorts &
  SoftwareStatements &
  // Left out where no request is signed as a whole.
  { readonly signedBodies?: SignedBodies | undefined } & SectorIdentifiers &
  IdTokenHints &
  LogoutConfirmations &
  // Left out where an authorization server signs nobody in.
  Partial<EndUserClaims & LogoutElsewherePorts> &
  /** `unlimited` where the host limits requests. */
  BudgetConsumption & {
    /** Called for a stored client that cannot be read. */
    readonly logUnreadable: (client: UnreadableClient) => void
    /** Called for a registration with members that the service does not use. */
    readonly logWarnings: (
      clientId: string,
      warnings: ReadonlyArray<MetadataWarning | DroppedWarning | Adjustment>,
    ) => void
    /** Called after a session ended: there may be notifications to deliver, and some that were removed. */
    readonly sessionEnded: (written: WrittenNotifications) => void
    /** Renders the pages for browsers, also at unknown paths. */
    readonly renderPage: PageRenderer
  }

/** What the pages of login and consent, and `/consents`, ask for beside. */
export type SignInPorts = ServicePorts &
  Interactions &
  Consents &
  Artefacts &
  EndUserClaims &
  ClientLogos & {
    readonly login: EndUserLogin
    /** With the entries about single clients of the registration policy that is in force. */
    readonly consentPolicy: () => ConsentPolicy
    /** The part of the registration policy that is in force. */
    readonly documentPolicy: () => DocumentPolicy
  }

export type ReadKeys<Key> = (json: unknown) => TaskEither<ReadonlyArray<string>, ReadonlyArray<Key>>

/** The ports of `/keys`. No port contains private keys: only the signer and the decrypter have them. */
export type KeyPorts = {
  readonly management: ByRequest<'keys', KeyManagement>
  /** The keys of a JWK Set, or all of its faults. */
  readonly readPrivateJwkSet: ReadKeys<ImportedKeys>
  readonly readPublicJwkSet: ReadKeys<NewForeignKey>
  readonly signerOf: (issuer: string) => ForOperator<'keys', TokenSigner>
  readonly decrypter: ForOperator<'keys', ObjectDecrypter>
}

/** The ports of `/manage/v1/audit`. */
export type AuditLogPorts = {
  readonly listAudit: ForOperator<
    'audit',
    (parameters: AuditParameters) => TaskEither<InvalidRequest | Unavailable, AuditList>
  >
  readonly verifyAudit: ForOperator<
    'audit',
    (request: VerifyAuditRequest) => TaskEither<InvalidRequest | Unavailable, AuditVerification>
  >
}

/** The ports of `/encryption`. */
export type EncryptionPorts = {
  readonly sealValues: ReturnType<typeof sealValues>
  readonly keys: ByRequest<'keys', EncryptionKeys>
}

/** What readiness reports beside the checks: its texts are public. */
export type HealthReport = { readonly name: string; readonly status: 'ok' | 'failed'; readonly detail: string }

/** The ports of `/health`. */
export type HealthPorts = {
  /** The readiness checks, each reported by its name. */
  readonly checks: ReadonlyArray<{ readonly name: string; readonly check: TaskEither<Unavailable, void> }>
  readonly isDraining: () => boolean
  /** Left out where there is nothing to report. */
  readonly reports?: () => ReadonlyArray<HealthReport>
}

/** The names of the settings that changed, and of those whose change waits for a restart. */
export type Reloaded = { readonly reloaded: ReadonlyArray<string>; readonly waiting: ReadonlyArray<string> }

/** Renders a template of the console; the digest is that of its only style, as in a Content-Security-Policy. */
export type RenderConsole = (template: string, data: Readonly<Record<string, unknown>>) => RenderedPage

/** The ports of `/console`. */
export type ConsolePorts = { readonly renderConsole: RenderConsole }

/** The ports of the routes. */
export type HttpPorts = {
  readonly service: ServicePorts
  /** Left out where no authorization server signs end-users in here. */
  readonly signIn?: SignInPorts
  /** The pending logout notifications. */
  readonly notifications: ByRequest<'deliveries', NotificationManagement>
  readonly jwkSet: JwkSetSource
  readonly keys: KeyPorts
  /** Left out where the service does not seal. */
  readonly encryption?: EncryptionPorts
  /** Left out where the host has no audit log. */
  readonly auditLog?: AuditLogPorts
  /** Reads the settings again; left out where the host has them. */
  readonly reload?: ByRequest<'operators', TaskEither<InvalidSettings | Unavailable, Reloaded>>
  readonly health: HealthPorts
  /** Left out where there is no console. */
  readonly console?: ConsolePorts
  /** Left out where metrics need no token, or there are none. */
  readonly metrics?: ForOperator<'metrics', Task<{ readonly contentType: string; readonly text: string }>>
}

/** The log entry of a request: no header, query or body, and the route's pattern in place of the path. */
export type HttpLogEntry = {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly remote_address?: string
  readonly detail?: unknown
  /** Why a page was shown. */
  readonly reason?: string
  /** Why the request was refused: the name of the refusal, which is the code of the standards where one has it. */
  readonly error?: string
  /** The violated rules of the body, by id. */
  readonly rules?: ReadonlyArray<string>
  /** Where these are violated, as JSON pointers: the first of them, without names that the client chose. */
  readonly pointers?: ReadonlyArray<string>
  /** The client that the request is about, if it exists: also a new one. */
  readonly client_id?: string
  /** Who sent the request: never a credential. */
  readonly actor?: Actor
  /** The change that a page of the console asked for: the method and route of its operation, such as `POST /clients`. */
  readonly asked?: string
  /** W3C Trace Context: the trace of the request, and its span. */
  readonly trace_id?: string
  readonly span_id?: string
}

/** The trace of a request while it is answered. */
export type Traced = {
  readonly context: TraceContext
  /** Runs the work in the trace, so that requests to others continue it. */
  readonly run: <A>(work: () => A) => A
  /** Called once, with the entry of the log. */
  readonly end: (entry: HttpLogEntry) => void
}

/** The ports of a shell; none of them may throw. `Peer` is the request type of its runtime. */
export type ShellPorts<Peer> = {
  /** Called once for each request; a host may give the id of a proxy that it trusts. */
  readonly requestId: (request: Peer) => string
  /** The trace of a request; left out, or undefined for a request, where nothing is traced. */
  readonly trace?: (request: Peer, method: string) => Traced | undefined
  /** Called once for each request, when it is finished; with the mark of the software whose body was refused (softwareOf). */
  readonly log: (entry: HttpLogEntry, software?: string) => void
  /** The address of the sender, if the host knows it. */
  readonly remoteAddress: (request: Peer) => string | undefined
}
