// What is known about the request that the engine answers at present.
import type { Registration } from '@clientele/domain'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'

/** The sid of the end-user session by the uid of the engine's; whether this request used a code first. */
type Known = { readonly sids: Map<string, string>; hasRedeemedCode: boolean }

const known = new WeakMap<object, Known>()

export const presentRequest = (): KoaContextWithOIDC | undefined => Provider.ctx

const knownOf = (request: KoaContextWithOIDC): Known => {
  const found = known.get(request) ?? { sids: new Map<string, string>(), hasRedeemedCode: false }
  known.set(request, found)
  return found
}

export const rememberSid = (uid: string, sid: string): void => {
  const request = presentRequest()
  if (request !== undefined) knownOf(request).sids.set(uid, sid)
}

export const rememberedSid = (uid: string): string | undefined => {
  const request = presentRequest()
  return request === undefined ? undefined : knownOf(request).sids.get(uid)
}

export const rememberRedeemedCode = (): void => {
  const request = presentRequest()
  if (request !== undefined) knownOf(request).hasRedeemedCode = true
}

/** Whether this request is the one that redeems an authorization code. */
export const hasRedeemedCode = (): boolean => {
  const request = presentRequest()
  return request !== undefined && knownOf(request).hasRedeemedCode
}

/** None for a documented client that no end-user has approved. */
type Storing = { readonly registration: Registration | undefined }

const registrations = new AsyncLocalStorage<Storing>()

/** Stores for a registration outside of a request of the engine. */
export const storingFor = <Value>(
  registration: Registration | undefined,
  store: () => Promise<Value>,
): Promise<Value> => registrations.run({ registration }, store)

export const presentStoring = (): Storing | undefined => registrations.getStore()
