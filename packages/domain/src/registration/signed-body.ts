// A registration request that is a JWT as a whole: Open Banking DCR 3.3, POST /register.
import * as O from 'fp-ts/lib/Option.js'
import type { JsonObject } from '../codec/json-object.js'

/** The header and the claims of a JWT; what they say counts after its signature is verified. */
export type OpenedBody = { readonly header: JsonObject; readonly claims: JsonObject }

// No JSON has a symbol, so that no JSON body passes for a signed one.
const compact: unique symbol = Symbol('a JWT in compact form')

export type SignedBody = { readonly [compact]: string }

/** The text of a body of the type application/jwt, not verified. */
export const signedBody = (text: string): SignedBody => ({ [compact]: text })

const isSignedBody = (body: unknown): body is SignedBody =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, compact)

export const signedTextOf = (body: unknown): O.Option<string> => (isSignedBody(body) ? O.some(body[compact]) : O.none)
