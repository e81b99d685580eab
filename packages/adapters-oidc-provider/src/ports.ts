import type { AuditEntry, AuditRow } from '@clientele/domain/audit'
import type { HashText } from '@clientele/domain/authorization'
import type { ClientId } from '@clientele/domain/client'
import type {
  BudgetKind,
  EpochSeconds,
  ExhaustedBudget,
  RegistryFull,
  TooManyRequests,
  Unavailable,
} from '@clientele/domain/kernel'
import type { EndUserSession, SessionClient, Subject } from '@clientele/domain/logout'
import type { ResolveClientError, StartedSession } from '@clientele/domain/operations'
import type { ClientEntries, CryptographicMember } from '@clientele/domain/policy'
import type {
  Artefacts,
  ClientRegistry,
  Consents,
  EndUserClaims,
  InitialAccessTokens,
  Interactions,
  JwsSigner,
  ObjectDecrypter,
  SecretUse,
} from '@clientele/domain/ports'
import type { ConsentPolicy, KnownClient, LogoutElsewhere, ResourcePolicy } from '@clientele/domain/provider'
import type { RegisteredClient, Registration } from '@clientele/domain/registration'
import type * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { IncomingMessage, ServerResponse } from 'node:http'

export type EngineSettings = {
  /** The base URL: of every endpoint, whatever host a request names. */
  readonly issuer: string
  /** The keys of the signatures of cookies, the same in every instance: the first signs. */
  readonly cookieKeys: ReadonlyArray<string>
  /** OpenID Core §8.1: the secret from which pairwise identifiers are derived. */
  readonly pairwiseSalt: string
  readonly signingAlgorithms: ReadonlyArray<string>
  /** Scope values beside those of OpenID Connect and of registration. */
  readonly scopes: ReadonlyArray<string>
  /** In seconds. */
  readonly accessTokenLifetime: number
  /** In seconds, for each refresh token; its successor has this lifetime again. */
  readonly refreshTokenLifetime: number
  /** Seconds after its first use in which a refresh token may be used again, until a successor was used; 0 for none. */
  readonly refreshTokenGrace: number
  /** Whether each use of a refresh token issues a new one; if not, only where nothing else protects it. */
  readonly rotateRefreshTokens: boolean
  /** Whether tokens that are not for offline access end with the session in which they were issued. */
  readonly tokensEndWithSession: boolean
  /** Whether tokens for offline access end at the logout from that session. */
  readonly logoutEndsOfflineAccess: boolean
  readonly resources: ResourcePolicy | undefined
  /** Whether clients may have the response type `id_token token`. */
  readonly offersImplicitTokens: boolean
  /** Whether a request may be at a URI that its client registered (OpenID Core §6.2). */
  readonly requestUris: boolean
  /** Whether every client must use PKCE (RFC 7636), or those without authentication. */
  readonly requirePkce: 'public' | 'all'
  /** Whether every client must push its authorization requests (RFC 9126), or those that registered that they do. */
  readonly requirePar: boolean
  /** Whether every access token is bound by DPoP (RFC 9449), or those of clients that registered that they are. */
  readonly requireDpop: boolean
  /** Whether a client assertion may name an endpoint as its audience (RFC 7523 §3), or must name the issuer alone. */
  readonly assertionAudience: 'endpoints' | 'issuer'
  /** Whether ID tokens have the claims of scope values where an access token gives them, too (OpenID Core §5.4). */
  readonly claimsInIdToken: boolean
  /** The clients that may introspect every access token. */
  readonly introspectionClients: ReadonlyArray<string>
  /** For which applications no end-user is asked, beside those of clientEntries, and which earlier consents count. */
  readonly consentPolicy: ConsentPolicy
  /** The origins whose pages may use the endpoints, beside those of the redirection URIs of a client. */
  readonly corsOrigins: ReadonlyArray<string>
}

/** Why a request was refused, for its log entry. */
export type EngineRefusal = {
  /** The error code that was answered. */
  readonly error: string
  /** What the answer does not say; it contains no secret. */
  readonly detail?: string
  /** The violated rules of the client's document. */
  readonly rules?: ReadonlyArray<string>
  /** Why the service failed. */
  readonly cause?: Error
}

/** What is known of an answered request, for its log entry. */
export type EngineReport = {
  readonly refusal?: Pick<EngineRefusal, 'error' | 'rules'>
  /** What a refusal says to the developer of the client. */
  readonly reason?: string
  /** Why the service failed. */
  readonly detail?: unknown
  readonly client_id?: string
  /** Where the client sent the request itself, and its credentials are not refused. */
  readonly actor?: { readonly kind: 'client' }
}

/** The cookie of the end-user session. */
export type SessionCookie = {
  /** Its value in a Cookie field. */
  readonly read: (cookie: string | undefined) => string | undefined
  /** The Set-Cookie field. */
  readonly write: (value: string) => string
}

/** The end-user sessions of this service. Refusals that are not `unavailable` mean that there is no such session. */
export type EngineSessions = {
  readonly start: (sent: { readonly sub: string }) => TE.TaskEither<{ readonly error: string }, StartedSession>
  /** The session of the cookie; it counts as used. */
  readonly find: (cookie: string) => TE.TaskEither<{ readonly error: string }, EndUserSession>
  readonly findById: (sid: string) => TE.TaskEither<Unavailable, O.Option<EndUserSession>>
  readonly recordClient: (
    sid: string,
    sent: {
      readonly client_id: string
      readonly registration_id: string
      readonly sub: string
      readonly sid: string
    },
  ) => TE.TaskEither<{ readonly error: string }, SessionClient>
  readonly end: (sid: string) => TE.TaskEither<{ readonly error: string }, void>
}

/** An ID token that verifies by a published key or a secret of the client: its header and claims. */
export type ReadHint = (
  hint: string,
  client: RegisteredClient,
) => T.Task<{ readonly claims: Readonly<Record<string, unknown>> } | undefined>

/** The contents of a page for an end-user whose request cannot continue. */
export type ErrorPage = (facts: {
  readonly error: string
  readonly error_description: string | undefined
  /** The client, where the request names a registered one. */
  readonly client: RegisteredClient | undefined
  readonly uiLocales: string | undefined
  readonly acceptLanguage: string | undefined
}) => { readonly headers: Readonly<Record<string, string>>; readonly html: string }

/** The clients of authorization requests: registered, or documented. */
export type KnownClients = {
  readonly resolveClient: (clientId: string) => TE.TaskEither<ResolveClientError, O.Option<KnownClient>>
  /** Stores a documented client as an end-user consents to it. */
  readonly approveDocument: (
    client: RegisteredClient,
    sub: Subject,
  ) => TE.TaskEither<RegistryFull | TooManyRequests | Unavailable, RegisteredClient>
}

export type EnginePorts = Artefacts &
  Consents &
  Pick<ClientRegistry, 'findClient' | 'confirmReads'> &
  KnownClients &
  Pick<InitialAccessTokens, 'addInitialAccessToken' | 'removeInitialAccessToken'> &
  JwsSigner &
  ObjectDecrypter &
  SecretUse & {
    /** The algorithms that the metadata list for the member at present. */
    readonly listedAlgorithms: (member: CryptographicMember) => ReadonlyArray<string>
    /** Whether the policy of the operator allows the response type at present. */
    readonly allowsResponseType: (responseType: string) => boolean
    /** The entries about single clients of the policy in force at present. */
    readonly clientEntries: () => ClientEntries
    readonly hashToken: HashText
    readonly now: () => EpochSeconds
    /** Records a use of the client, if it is the first of the day. The host logs a failure: a JWT is issued all the same. */
    readonly recordUse: (registration: Registration) => TE.TaskEither<Unavailable, void>
    /** Whether a client with this id was removed, and the service still tells its application. */
    readonly isRemembered: (id: ClientId) => TE.TaskEither<Unavailable, boolean>
    readonly sessions: EngineSessions
    readonly sessionCookie: SessionCookie
    readonly readHint: ReadHint
    readonly errorPage: ErrorPage
    /** Spends a budget for the sender of the request. */
    readonly consumeBudget: (kind: BudgetKind, request: IncomingMessage) => TE.TaskEither<ExhaustedBudget, void>
    /** The audit row of a change by a request; none where there is no audit log. */
    readonly auditRow: (
      request: { readonly req: IncomingMessage; readonly res: ServerResponse },
      change: Omit<AuditEntry, 'origin'>,
    ) => AuditRow | undefined
    /** Discards the rest of a body that is too long, within bounds. */
    readonly discardRest: (request: IncomingMessage) => Promise<void>
    /** Requests what stands at a URI of a client; left out where the service sends no requests. */
    readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
    /** The same for a client that any visitor names: as seldom as documents. */
    readonly fetchForDocument?: (url: string, init: RequestInit) => Promise<Response>
    /** As seldom, for request objects: those of one client do not use up what the keys of another one need. */
    readonly fetchObjectForAnyone?: (url: string, init: RequestInit) => Promise<Response>
  }

export type Engine = {
  /** The pattern of the route with this path, which includes that of the base URL; undefined for paths of others. */
  readonly routeOf: (path: string) => string | undefined
  /** Answers a request on such a route. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<EngineReport>
  readonly interactions: Interactions
  readonly claims: EndUserClaims
  /** What the logout elsewhere of a session needs; none where the end-user was authenticated here. */
  readonly findLogoutElsewhere: (sid: Subject) => TE.TaskEither<Unavailable, O.Option<LogoutElsewhere>>
}
