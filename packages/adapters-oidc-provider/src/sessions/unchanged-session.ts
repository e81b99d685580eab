// The engine stores the session of the browser after each authorization request, to extend it: docs/decisions/0153.
import type { AdapterPayload } from 'oidc-provider'
import { presentKnown } from '../context.js'

/** Seconds by which the stored end may be earlier; the session has a year, and ends with its end-user session. */
const tolerance = 86_400

const textOf = (payload: AdapterPayload): string => JSON.stringify({ ...payload, exp: undefined, jti: undefined })

/** Remembers the session as it was read. */
export const rememberRead = (id: string, payload: AdapterPayload): void => {
  const known = presentKnown()
  if (known !== undefined) known.session = { id, exp: payload.exp, text: textOf(payload) }
}

/** Remembers that the store has just stored something that ends with the end-user session, so that this has not ended. */
export const rememberStoredWith = (sid: string | undefined): void => {
  const known = presentKnown()
  if (known !== undefined) known.storedWith = sid ?? known.storedWith
}

const isStoredWith = (uid: string | undefined): boolean => {
  const known = presentKnown()
  return uid !== undefined && known?.storedWith !== undefined && known.storedWith === known.sids.get(uid)
}

/** Whether to store the session again would only extend it, by less than a day. */
export const isUnchanged = (id: string, payload: AdapterPayload): boolean => {
  const read = presentKnown()?.session
  if (read?.id !== id || !isStoredWith(payload.uid)) return false
  return Number(payload.exp) - Number(read.exp) < tolerance && textOf(payload) === read.text
}
