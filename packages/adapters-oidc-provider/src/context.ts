// What is known about the request that the engine answers at present.
import type { HashText, TokenHash } from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { ArtefactKind, ArtefactUse, StoredArtefact } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { EngineRefusal } from './ports.js'
import type { Said } from './texts.js'

/** The identifier of a client assertion or a DPoP proof. */
export type Mark = { readonly hash: TokenHash; readonly expires_at: EpochSeconds; readonly ofAssertion: boolean }

type Known = {
  /** The sid of the end-user session by the uid of the engine's. */
  readonly sids: Map<string, string>
  readonly hashes: Map<string, TokenHash>
  /** Resolve to an error if what this request stores is refused. */
  readonly storing: Array<Promise<Error | undefined>>
  /** What must not be used again, until the request turns out to be good. */
  readonly held: Array<Mark>
  /** Whether it did. */
  isGood?: boolean
  /** What the request uses with the first token that it stores; by itself where it stores none. */
  use?: ArtefactUse | undefined
  /** Stores the refresh token that replaces the one of the request. */
  successor?: () => Promise<void>
  /** Whether this request used a code first. */
  hasRedeemedCode?: boolean
  /** Whether this request has a unit of the budget of anonymous work. */
  hasBudget?: boolean
  /** The session of the engine as it was read: its id, its end, and the text of the rest. */
  session?: { readonly id: string; readonly exp: unknown; readonly text: string }
  /** The sid of the end-user session with which something was stored. */
  storedWith?: string | undefined
  /** The header of the encrypted request object that the request has. */
  encryption?: Readonly<Record<string, unknown>>
  /** The refresh token of the request, as it was read. */
  refreshToken?: StoredArtefact
  /** Whether the request was looked for at its request_uri. */
  hasRequestUri?: boolean
  /** The failure of the store. */
  failure?: Error
  /** The context of the engine; the service may fail before the engine knows the request. */
  context?: Partial<KoaContextWithOIDC>
  /** What was refused last, and what the engine says of it. */
  refusal?: EngineRefusal
  said?: Said
  /** Whether the client did not authenticate. */
  hasFailedClient?: boolean
  /** Whether the body is too long. */
  isTooLarge?: boolean
}

const known = new WeakMap<IncomingMessage, Known>()

export const presentRequest = (): KoaContextWithOIDC | undefined => Provider.ctx

/** The name that the engine has for the route of the present request; empty outside of one. */
export const presentRoute = (): string => presentRequest()?.oidc.route ?? ''

/** What is known of a request, until it is finished. */
export const knownOfRequest = (request: IncomingMessage): Known => {
  const found = known.get(request)
  if (found !== undefined) return found
  const made: Known = { sids: new Map(), hashes: new Map(), storing: [], held: [] }
  known.set(request, made)
  return made
}

/** What is known of the present request; undefined outside of one. */
export const presentKnown = (): Known | undefined => {
  const request = presentRequest()
  return request === undefined ? undefined : knownOfRequest(request.req)
}

/** The same hashes; a request computes that of each text once. */
export const hashOnce =
  (hashToken: HashText): HashText =>
  (text) => {
    const hashes = presentKnown()?.hashes
    const hash = hashes?.get(text) ?? hashToken(text)
    hashes?.set(text, hash)
    return hash
  }

/**
 * For what is stored outside of a request of the engine: none for a documented client that no end-user has approved; and what
 * is used with it.
 */
export const storingFor = new AsyncLocalStorage<{
  readonly registration: Registration | undefined
  readonly use?: ArtefactUse
}>()

// Tokens that one answer contains are stored together: docs/decisions/speed.md.

/** The words of a parameter or a scope, which spaces separate; none if it is no text. */
export const wordsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === 'string' && value !== '' ? value.split(' ') : []

const isOpenId = (scope: unknown): boolean => wordsOf(scope).includes('openid')

const issuesIdToken = ({ params, entities, route }: KoaContextWithOIDC['oidc']): boolean => {
  const { grant_type, scope } = params ?? {}
  const source = entities.AuthorizationCode ?? entities.RefreshToken
  return (
    route === 'token' &&
    ['authorization_code', 'refresh_token'].includes(String(grant_type)) &&
    (scope === undefined || isOpenId(scope)) &&
    isOpenId(source?.scope)
  )
}

/** Whether the engine issues an ID token after it has stored such an artefact; the ID token waits for the artefact. */
export const precedesIdToken = (kind: ArtefactKind): boolean => {
  const request = presentRequest()
  const isToken = kind === 'access_token' || kind === 'refresh_token'
  return isToken && request !== undefined && issuesIdToken(request.oidc)
}

/** Goes on while it is stored: `allStored` waits for it. */
export const storeMeanwhile = (store: () => Promise<void>): void => {
  const stored = store().then(
    () => undefined,
    (refusal: unknown) => (refusal instanceof Error ? refusal : new Error(String(refusal))),
  )
  presentKnown()?.storing.push(stored)
}

/** Throws the first refusal of what the request stores. */
export const allStored = async (storing = presentKnown()?.storing): Promise<void> => {
  const refusals = await Promise.all(storing?.splice(0) ?? [])
  const first = refusals.find((refusal) => refusal !== undefined)
  if (first !== undefined) throw first
}
