import * as t from 'io-ts'

// RFC 7518 §6, RFC 8037 §2: the public members of a key; there is no field for any private member.
const RsaPublicJwk = t.readonly(t.exact(t.type({ kty: t.literal('RSA'), n: t.string, e: t.string })))
const EcPublicJwk = t.readonly(t.exact(t.type({ kty: t.literal('EC'), crv: t.string, x: t.string, y: t.string })))
const OkpPublicJwk = t.readonly(t.exact(t.type({ kty: t.literal('OKP'), crv: t.string, x: t.string })))
export interface RsaPublicJwk extends t.TypeOf<typeof RsaPublicJwk> {}
export interface EcPublicJwk extends t.TypeOf<typeof EcPublicJwk> {}
export interface OkpPublicJwk extends t.TypeOf<typeof OkpPublicJwk> {}

/** RFC 7517 §4: the public half of a key, without its name and use. */
export const PublicJwk = t.union([RsaPublicJwk, EcPublicJwk, OkpPublicJwk], 'PublicJwk')
export type PublicJwk = RsaPublicJwk | EcPublicJwk | OkpPublicJwk

/** RFC 7517 §4: a key as the set publishes it. */
export type PublishedJwk = PublicJwk & { readonly kid: string; readonly use: 'sig' | 'enc'; readonly alg: string }

/** RFC 7517 §5 */
export type JwkSet = { readonly keys: ReadonlyArray<PublishedJwk> }
