// What operations need beside a store.
import type * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CheckpointClaims } from '../audit/checkpoints.js'
import type { HashText, Requester, TokenHash } from '../authorization/credential.js'
import type { ClientIdUrl } from '../client/ids.js'
import type { ReadStatement } from '../client/statement.js'
import type { EncryptionKeyFingerprints } from '../instances/index.js'
import type { BudgetKind, ExhaustedBudget, Source } from '../kernel/budgets.js'
import type { JsonObject } from '../kernel/json-object.js'
import type { InvalidRequest, TooManyRequests, Unavailable } from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { JwkSet, PublicJwk } from '../keys/ring.js'
import type { GeneratedKey } from '../keys/roll-over.js'
import type { SigningRefusal, UnsignedToken } from '../keys/signing.js'
import type { LifeCyclePolicy } from '../life-cycle/states.js'
import type { OfferedConfirmation } from '../logout/confirm.js'
import type { DeliveryResult } from '../logout/notifications.js'
import type { HintFault, SignedHint, UnverifiedHint } from '../logout/hint.js'
import type { Subject } from '../logout/sessions.js'
import type { AuthenticatedEndUser, LoginRefused } from '../provider/login.js'
import type { SeenDocument } from '../provider/seen-documents.js'
import type { GeneratedCredentials, RegisteredClient, Registration } from '../registration/registered-client.js'
import type { OpenedBody } from '../registration/signed-body.js'

/** What is answered from outside, or why not: by a store, a service or an operation, which may also be unavailable now. */
export type Answer<Value, Refusal = never> = TE.TaskEither<Refusal | Unavailable, Value>

// Spends budgets for requests.

export type BudgetConsumption = {
  /**
   * Spends one unit of the source, of its network and of all sources. Where the store cannot count, the work is permitted: it
   * fails by itself if it needs the store.
   */
  readonly consumeBudget: (kind: BudgetKind, source: Source) => TE.TaskEither<ExhaustedBudget, void>
}

/** For a host that limits requests itself. */
export const unlimited: BudgetConsumption = { consumeBudget: () => TE.right(undefined) }

// The documents of clients whose client_id is a URL: draft-ietf-oauth-client-id-metadata-document-02 §5, -00 §4.

export type ClientDocuments = {
  /**
   * What is seen at the URL, now or within the freshness that the policy permits (-02 §5.2; RFC 9111 §4.2); `at` is the
   * time of the request, in seconds. The same object means that no further request was sent. Whatever prevents an
   * answer, the result is `unreachable`: the reason is for the log only, so that no party learns of hosts that only
   * this service reaches. With `since`, what was seen before that time is not enough: another instance has seen the
   * document then.
   */
  readonly seeDocument: (url: ClientIdUrl, since?: EpochSeconds) => T.Task<SeenDocument>
}

export type ClientLogos = {
  /** The picture at the URI as a data: URI; undefined where it cannot be shown. */
  readonly findLogo: (uri: string) => T.Task<string | undefined>
}

// When the document of a stored client was seen: draft-ietf-oauth-client-id-metadata-document-02 §5.

export type SeenDocuments = {
  /** Records that there was a document, once for each answer of its server. It ends with the registration. */
  readonly recordSeen: (client: Registration, seen: SeenDocument) => Answer<void>
  /** The last recorded time; none where the time until which an approved document counts has passed. */
  readonly findLastSeen: (url: ClientIdUrl) => Answer<O.Option<EpochSeconds>>
}

// The time, and unguessable values: alphanumeric, of the configured lengths, from a secure random source.

export type Clock = { readonly now: IO.IO<EpochSeconds> }

/** The digest of a text, keyed where the host has a key. */
export type Hashing = { readonly hashToken: HashText }

export type CredentialGenerator = Clock & {
  /** A client_id, a registration_id, a client_secret and a registration access token, with the time. */
  readonly issue: IO.IO<GeneratedCredentials>
  readonly initialAccessToken: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** The value of a cookie, with the hash by which the browser is recognized. */
  readonly cookie: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** An unguessable, unique name of a session, a notification or a token. */
  readonly identifier: IO.IO<string>
}

// How long clients wait for their first use, and what becomes of them: docs/operate/year.md#life-cycle-of-a-client.

export type LifeCycle = {
  readonly lifeCycle: LifeCyclePolicy
  /** Whether the service removes clients by itself: where registration is open. */
  readonly removes: boolean
}

// The encryption keys of a running service: the first one seals, all decrypt. No operation shows a key.

export type EncryptionKeyList = EncryptionKeyFingerprints & {
  /** In the file of the data directory, which the service changes; or in the settings, which the operator changes. */
  readonly kept_in: 'file' | 'settings'
  /** The number of sealed values in the store. */
  readonly values: number
  /** The ids of running instances that seal with another key than the first one. */
  readonly sealing_otherwise: ReadonlyArray<string>
}

export type EncryptionKeys = {
  readonly listEncryptionKeys: Answer<EncryptionKeyList>
  /**
   * Makes a key that seals from then on; the others still decrypt. No effect where there are several keys: their change
   * is to be completed first. Refused for keys of the settings.
   */
  readonly addEncryptionKey: Answer<EncryptionKeyList, InvalidRequest>
  /** Removes all keys but the first. Refused for keys of the settings, and while a value is sealed with another one. */
  readonly dropEncryptionKeys: Answer<EncryptionKeyList, InvalidRequest>
}

// The encryption of stored values. Its keys are outside of the store: in the process, or in a key management service.

/**
 * Supplied to a store when it is opened. Unavailable means that the keys cannot be used now; the store returns it as
 * its own refusal. A store calls it before and after transactions, never within one, and once for each row that it
 * reads or writes.
 */
export type Encryption = {
  /** Encrypts the text by the present key; it can be decrypted only with the same context. */
  readonly seal: (plain: string, context: string) => Answer<string>
  /** None if no known key sealed the text with this context. */
  readonly open: (sealed: string, context: string) => Answer<O.Option<string>>
  /** Whether the present key sealed the text; otherwise it is to be sealed anew. */
  readonly isCurrent: (sealed: string) => Answer<boolean>
}

// What is known of end-users beside sub, for pages that name them: OpenID Connect Core §5.1.

export type EndUserClaims = {
  /** The claims from the last login; none where the authorization server has not kept them. */
  readonly findEndUserClaims: (sub: Subject) => Answer<O.Option<JsonObject>>
}

// How end-users sign in. The authorization server has no directory of passwords of its own.

/** A login that began at another page. */
type BegunLogin = {
  /** Where the browser goes. */
  readonly location: string
  /** The parameter `state` with which the browser returns: it tells the logins of one browser apart. */
  readonly handle: string
  /** Sealed, for a cookie of this browser alone; the handle and the interaction are in it. */
  readonly state: string
}

/** A login at another party. */
export type LoginElsewhere = {
  /** The URL of the page of the other party, for an interaction. `redirectUri` is where it sends the browser back. */
  readonly begin: (request: {
    readonly interaction: string
    readonly redirectUri: string
    readonly loginHint: string | undefined
    readonly uiLocales: string | undefined
    /** OpenID Core §3.1.2.1: the maximum age of the authentication in seconds; 0 for prompt=login. */
    readonly maxAge?: number | undefined
    /** Whether the end-user asks for another account than the one that was refused. */
    readonly otherAccount?: boolean
    readonly selectAccount?: Interaction['selectAccount'] | undefined
  }) => Answer<BegunLogin, LoginRefused>
  /**
   * Reads the returned parameters against the state of the browser; the interaction is that of `begin`. One response is
   * good for that interaction only, which can be answered once.
   */
  readonly complete: (returned: {
    readonly state: string
    readonly parameters: Readonly<Record<string, string>>
    readonly redirectUri: string
  }) => Answer<{ readonly interaction: string; readonly endUser: AuthenticatedEndUser }, LoginRefused>
}

/** Another party that authenticates end-users. */
export type LoginParty = LoginElsewhere & {
  /** The end of its redirect URI, `/login/callback/ID`; undefined for the one whose redirect URI is `/login/callback`. */
  readonly id: string | undefined
  /** As the page names it on which the end-user chooses a party. */
  readonly name: string
}

type DevelopmentAccount = { readonly username: string; readonly claims: JsonObject }

export type EndUserLogin =
  /** A page asks for a name and a password: for development only, which the page says. */
  | {
      readonly kind: 'development'
      readonly check: (given: {
        readonly username: string
        readonly password: string
      }) => Answer<{ readonly endUser: AuthenticatedEndUser }, LoginRefused>
      /** The present accounts, for a page that helps developers. */
      readonly listAccounts: Answer<ReadonlyArray<DevelopmentAccount>>
    }
  /** At another party: where there are several, the end-user chooses one. */
  | { readonly kind: 'elsewhere'; readonly parties: ReadonlyNonEmptyArray<LoginParty> }

// Which client_secret a client uses.

export type SecretUse = {
  /** Takes note that the client authenticated by the secret; the day of it is stored in the background. */
  readonly useSecret: (client: Registration, client_secret: string) => void
}

// The verification of an id_token_hint: RP-Initiated Logout §2. The domain's folder logout judges its claims.

/** The client_secrets of which one must have signed the hint, or its key is derived from one, the newest first. */
export type SecretsOfHint = (unverified: UnverifiedHint) => T.Task<ReadonlyArray<string>>

export type IdTokenHints = {
  /**
   * Accepts a JWS by a key of a ring, including retired ones, or a JWE around one, encrypted to a key of this service.
   * A JWS by HS256, HS384 or HS512 is verified only with a secret that `secretsOf` returns, and a JWE by "dir" or a key
   * wrapping of AES decrypted only by one.
   */
  readonly readIdTokenHint: (hint: string, secretsOf: SecretsOfHint) => T.Task<E.Either<HintFault, SignedHint>>
}

// Authorization requests that wait for the end-user: OpenID Connect Core §3.1.2.3 and §3.1.2.4.

/** There is no such interaction any more, or it belongs to another browser. */
type InteractionGone = { readonly error: 'interaction_gone' }
export const interactionGone: InteractionGone = { error: 'interaction_gone' }

export type InteractionRefusal = InteractionGone | TooManyRequests | Unavailable

export type Interaction = {
  /** In the path of its pages. */
  readonly id: string
  /** What the authorization server waits for. */
  readonly prompt: 'login' | 'consent'
  readonly client: RegisteredClient
  /** The redirection URI of this request. */
  readonly redirectUri: string
  /** The requested scope values to which the end-user did not consent yet. */
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: the same by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** The end-user who is signed in; present for consent. */
  readonly sub?: Subject
  /** The claims of that end-user from the last login. */
  readonly claims?: JsonObject
  /** OpenID Core §3.1.2.1: the request has prompt=consent, so that no earlier consent or policy skips the page. */
  readonly mustAsk?: boolean
  /** OpenID Core §3.1.2.1 */
  readonly uiLocales?: string
  /** OpenID Core §3.1.2.1 */
  readonly loginHint?: string
  /** OpenID Core §3.1.2.1: the maximum age of the authentication in seconds; 0 for prompt=login. */
  readonly maxAge?: number
  /** OpenID Core §3.1.2.1: the request has prompt=select_account. */
  readonly selectAccount?: boolean
}

export type InteractionAnswer =
  | { readonly answer: 'signed_in'; readonly endUser: AuthenticatedEndUser }
  /** With the shown facts, which are recorded with the consent. */
  | { readonly answer: 'consented'; readonly shown: JsonObject }
  | { readonly answer: 'denied' }

/** Where the browser goes on, and the Set-Cookie fields of that response. */
export type AnsweredInteraction = { readonly location: string; readonly setCookies: ReadonlyArray<string> }

/** The browser of a request: the value of its Cookie field. */
export type BrowserCookies = { readonly cookie: string | undefined }

export type Interactions = {
  readonly findInteraction: (id: string, browser: BrowserCookies) => TE.TaskEither<InteractionRefusal, Interaction>
  /** The interaction can be answered once. `signed_in` also starts the end-user session. */
  readonly answerInteraction: (
    id: string,
    browser: BrowserCookies,
    answer: InteractionAnswer,
  ) => TE.TaskEither<InteractionRefusal, AnsweredInteraction>
}

// The keys of this service: new ones, and signatures by the present one.

export type KeyMaker = {
  /** A new key pair, named by its thumbprint (RFC 7638). */
  readonly makeKey: (alg: string) => Answer<GeneratedKey>
}

/** No ring has the algorithm. */
export type NoSuchRing = { readonly error: 'no_such_ring'; readonly known: ReadonlyArray<string> }

export type TokenSigner = {
  /** RFC 7515 §7.1: the compact serialization, signed by the present signing key only. */
  readonly signToken: (token: UnsignedToken) => Answer<string, SigningRefusal | NoSuchRing>
}

// Signatures for a server that composes its tokens itself, by the keys of this service.

/** The public half of a key of a ring. */
export type SigningKey = { readonly kid: string; readonly jwk: PublicJwk }

export type JwsSigner = {
  /** The key that signs at present; undefined where no ring has the algorithm. */
  readonly signingKeyOf: (alg: string) => SigningKey | undefined
  /** Reads the stored keys if they were last read too long ago to sign by them. */
  readonly readyToSign: T.Task<void>
  /**
   * RFC 7515 §5.1: the signature of a signing input (header and payload in base64url, with a dot between), in base64url. The
   * header names the algorithm and the kid of the signing key; a payload with the claim exp must not live too long.
   */
  readonly signInput: (input: string) => Answer<string, SigningRefusal | NoSuchRing>
}

// The published keys: public halves only, including those of other signers.
export type PublishedJwkSet = {
  /** RFC 7517 §5: the same object until the keys change. */
  readonly jwkSet: JwkSet
  /** RFC 9111 §5.2.2.1: the seconds from now for which a verifier may cache it. */
  readonly maxAge: number
}

export type JwkSetSource = {
  /** Unavailable where the stored rings were not read for so long that the set may lack a key that signs. */
  readonly publishedJwkSet: IO.IO<E.Either<Unavailable, PublishedJwkSet>>
}

// Signatures of checkpoints, by the signing keys of this service.

export type CheckpointSigner = {
  readonly signCheckpoint: (claims: CheckpointClaims) => Answer<string>
  /** Whether the present signing key signed the checkpoint. */
  readonly isByPresentKey: (jws: string) => boolean
}

export type CheckpointVerifier = {
  /** Whether a key of a ring, including retired ones, signed the checkpoint. */
  readonly isSignedCheckpoint: (jws: string) => T.Task<boolean>
}

// The value in the form of a logout confirmation page: sealed, so that the browser can neither read nor change it.

export type LogoutConfirmations = {
  readonly sealConfirmation: (confirmation: OfferedConfirmation) => T.Task<string>
  /** None for any text that this service did not seal. */
  readonly openConfirmation: (value: string) => T.Task<O.Option<OfferedConfirmation>>
}

// The logout at the OpenID provider that authenticated the end-user: OpenID Connect RP-Initiated Logout §2.

export type LogoutElsewherePorts = {
  /**
   * The URL of the logout request for the session, which leads back to this service; none where the end-user was
   * authenticated here, or where that provider has no end_session_endpoint. It ends with the session.
   */
  readonly findLogoutElsewhere: (sid: Subject) => Answer<O.Option<string>>
}

// Logout tokens to applications.

export type LogoutSender = {
  /** Back-Channel Logout §2.5: posts the logout token and returns the result, within a time limit of its own. */
  readonly sendLogoutToken: (uri: string, logoutToken: string) => T.Task<DeliveryResult>
}

// Request objects that clients encrypted to the published key: RFC 9101 §6.1, OpenID Core §6.1.

/** Not a compact JWE, no published key decrypts it, or its plaintext is not UTF-8. */
export type UndecryptableObject = {
  readonly error: 'undecryptable_object'
  readonly reason: 'malformed' | 'not_encrypted' | 'no_key'
}

export type ObjectDecrypter = {
  /** The plaintext: a JWS, or the claims as JSON. The caller verifies it. */
  readonly decryptObject: (object: string) => TE.TaskEither<UndecryptableObject, string>
}

// The documents of sector identifier URIs: OpenID Registration §5. Nothing is fetched while outbound fetches are off.

/** The host returned no document, or one that is not JSON; detail is for the log only. */
export type SectorIdentifierUnavailable = { readonly error: 'sector_identifier_unavailable'; readonly detail: unknown }

export const sectorIdentifierUnavailable = (detail: unknown): SectorIdentifierUnavailable => ({
  error: 'sector_identifier_unavailable',
  detail,
})

export type SectorIdentifiers = {
  /** The JSON document at the https URI. Unavailable means that the service could not send the request now. */
  readonly fetchSectorIdentifier: (uri: string, requester: Requester) => Answer<unknown, SectorIdentifierUnavailable>
}

// The reading and the verification of registration requests that are JWTs as a whole: Open Banking DCR 3.3.

/** The host returned no key set; detail is for the log only. */
type KeySetUnavailable = { readonly error: 'key_set_unavailable'; readonly detail: unknown }

export const keySetUnavailable = (detail: unknown): KeySetUnavailable => ({ error: 'key_set_unavailable', detail })

export type SignedBodies = {
  /** Left if the text is no JWT in compact form whose parts every reader of JSON reads alike. */
  readonly openSignedBody: (jwt: string) => E.Either<'signed-body', OpenedBody>
  /** Whether a key of the set, and no key of the header, verifies the signature by one of the algorithms. */
  readonly verifySignedBody: (jwt: string, keySet: unknown, algorithms: ReadonlyArray<string>) => T.Task<boolean>
  /**
   * The JSON document at the https URI; left out while outbound fetches are off. Unavailable means that the service
   * could not send the request now.
   */
  readonly fetchKeySet?: (uri: string, requester: Requester) => Answer<unknown, KeySetUnavailable>
}

// The verification of software statements by the issuers that the operator trusts: RFC 7591 §2.3.

export type SoftwareStatements = {
  /** The claims of the JWT if its signature, times and audience (if present) are valid, otherwise its fault. */
  readonly readSoftwareStatement: (statement: string, audience: ReadonlyArray<string>) => T.Task<ReadStatement>
}

// The order of operations on one thing. It is an optimization: each store refuses outdated versions by itself, but
// without an order most of many concurrent operations would give up.

// The pause before an operation that lost against another one, in this instance or in another, is repeated.
export type Pauses = {
  /**
   * A random number from 0 up to 1, drawn anew for each pause, so that two operations do not collide again. It need not
   * be secret.
   */
  readonly drawFraction: IO.IO<number>
  /** Continues after so many milliseconds. */
  readonly pause: (milliseconds: number) => T.Task<void>
}

export type Turns = Pauses & {
  /** Runs the operation after the earlier ones of the same name; refused while too many wait for that name. */
  readonly serialize: (
    name: string,
  ) => <Failure, Value>(operation: TE.TaskEither<Failure, Value>) => Answer<Value, Failure>
}
