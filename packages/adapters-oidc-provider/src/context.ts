// What is known about the request that the engine answers at present.
import type { HashText, TokenHash } from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { Registration } from '@clientele/domain/registration'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'

/** A session of the engine as it is stored: its id, its end, and the text of the rest. */
type ReadSession = { readonly id: string; readonly exp: unknown; readonly text: string }

/** The identifier of a client assertion or a DPoP proof. */
export type Mark = { readonly hash: TokenHash; readonly expires_at: EpochSeconds; readonly ofAssertion: boolean }

type Known = {
  /** The sid of the end-user session by the uid of the engine's. */
  readonly sids: Map<string, string>
  readonly hashes: Map<string, TokenHash>
  /** Resolve to an error if what this request stores is refused. */
  readonly storing: Array<Promise<Error | undefined>>
  /** Whether this request used a code first. */
  hasRedeemedCode: boolean
  /** Whether this request has a unit of the budget of anonymous work. */
  hasBudget: boolean
  /** What must not be used again, until the request turns out to be good. */
  readonly held: Array<Mark>
  /** Whether it did. */
  isGood: boolean
  session: ReadSession | undefined
  /** The sid of the end-user session with which something was stored. */
  storedWith: string | undefined
  /** The header of the encrypted request object that the request has. */
  encryption: Readonly<Record<string, unknown>> | undefined
}

const known = new WeakMap<object, Known>()

export const presentRequest = (): KoaContextWithOIDC | undefined => Provider.ctx

const nothingKnown = (): Known => ({
  sids: new Map(),
  hashes: new Map(),
  storing: [],
  hasRedeemedCode: false,
  hasBudget: false,
  held: [],
  isGood: false,
  session: undefined,
  storedWith: undefined,
  encryption: undefined,
})

/** What is known of a request. */
export const knownOfRequest = (request: KoaContextWithOIDC): Known => {
  const found = known.get(request)
  if (found !== undefined) return found
  const made = nothingKnown()
  known.set(request, made)
  return made
}

/** What is known of the present request; undefined outside of one. */
export const presentKnown = (): Known | undefined => {
  const request = presentRequest()
  return request === undefined ? undefined : knownOfRequest(request)
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

export const rememberSid = (uid: string, sid: string): void => void presentKnown()?.sids.set(uid, sid)

export const rememberedSid = (uid: string): string | undefined => presentKnown()?.sids.get(uid)

export const rememberRedeemedCode = (): void => {
  const present = presentKnown()
  if (present !== undefined) present.hasRedeemedCode = true
}

/** Whether this request is the one that redeems an authorization code. */
export const hasRedeemedCode = (): boolean => presentKnown()?.hasRedeemedCode ?? false

/** None for a documented client that no end-user has approved. */
type Storing = { readonly registration: Registration | undefined }

const registrations = new AsyncLocalStorage<Storing>()

/** Stores for a registration outside of a request of the engine. */
export const storingFor = <Value>(
  registration: Registration | undefined,
  store: () => Promise<Value>,
): Promise<Value> => registrations.run({ registration }, store)

export const presentStoring = (): Storing | undefined => registrations.getStore()
