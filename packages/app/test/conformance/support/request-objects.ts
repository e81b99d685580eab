// Modules about request objects: OpenID Core §6. The service takes signed ones only.
import { SignJWT, UnsecuredJWT } from 'jose'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Client, type Keys, newKeys, privateKeyClient } from './clients.js'
import { completed, refusedOnPage, requestOf, urlOf } from './flow.js'
import type { Op } from './op.js'
import type { Module } from './plan.js'
import { hosting } from './registration.js'

/** An unsigned request object of the same parameters. */
const unsigned = (request: URLSearchParams): string => new UnsecuredJWT(Object.fromEntries(request)).encode()

// The suite sends no unsigned request object to a provider whose metadata do not list none: it would be refused.
export const unsignedRequestObject: Module = async (op) => {
  const client = await op.client()
  const parameters = Object.fromEntries(requestOf(client))
  const request = unsigned(new URLSearchParams(parameters))
  await refusedOnPage(op, requestOf(client, { ...parameters, request }), 'invalid_request_object')
}

// An error goes to no redirection URI of an object that is refused, or of a parameter that is not registered.
export const requestObjectWithRedirectUri: Module = async (op) => {
  const client = await op.client()
  const request = unsigned(requestOf(client))
  const parameters = requestOf(client, { request, redirect_uri: `${client.redirectUri}/unregistered` })
  const { end, status, requested } = await op.browser().visit(urlOf(op, parameters))
  assert.equal([end, status, requested], [undefined, 400, []])
}

const signedBy = (op: Op, client: Client, keys: Keys, request: URLSearchParams): Promise<string> =>
  new SignJWT({ ...Object.fromEntries(request), iss: client.id, aud: op.base })
    .setProtectedHeader({ alg: 'RS256', kid: String(keys.jwk.kid) })
    .sign(keys.privateKey)

/** Beyond the suite: a signed one counts, whatever the parameter beside it says (OpenID Core §6.1, RFC 9101 §6.3). */
export const signedRequestObjectWithRedirectUri: Module = async (op) => {
  await requestObjectWithRedirectUri(op)
  const keys = await newKeys()
  const client = await privateKeyClient(op.provider.service, {}, () => keys)
  const signed = requestOf(client)
  const request = await signedBy(op, client, keys, signed)
  const sent = requestOf(client, { request, redirect_uri: `${client.redirectUri}/unregistered` })
  await completed(op, client, signed, await op.browser().visit(urlOf(op, sent)))
}

// OpenID Core §3.1.2.6
export const requestUri: Module = async (op) => {
  const request_uri = `https://rp.example/request#${createHash('sha256').update('').digest('base64url')}`
  const client = await op.client({ request_uris: [request_uri] })
  await refusedOnPage(op, requestOf(client, { request_uri }), 'request_uri_not_supported')
}

// As in the suite, the fragment is not the hash of the object, because it is registered first.
const fragment = createHash('sha256').update('').digest('base64url')

/** OpenID Core §6.2: the object of `made` stands at a registered URI. */
const atUri = async (
  op: Op,
  made: (client: Client, keys: Keys, request: URLSearchParams) => string | Promise<string>,
  run: (client: Client, object: URLSearchParams, sent: URLSearchParams) => Promise<unknown>,
): Promise<void> => {
  const served = { object: '' }
  await hosting(
    () => served.object,
    async (host) => {
      const request_uri = `${host.uri}#${fragment}`
      const keys = await newKeys()
      const registered = { request_uris: [request_uri], request_object_signing_alg: 'RS256' }
      const client = await privateKeyClient(op.provider.service, registered, () => keys)
      const object = requestOf(client)
      served.object = await made(client, keys, object)
      await run(client, object, requestOf(client, { request_uri }))
      assert.is(host.received.length, 1)
    },
  )
}

export const requestUriSigned: Module = (op) =>
  atUri(
    op,
    (client, keys, object) => signedBy(op, client, keys, object),
    async (client, object, sent) => completed(op, client, object, await op.browser().visit(urlOf(op, sent))),
  )

// The suite sends none to a provider whose metadata do not list none: it would be refused.
export const requestUriUnsigned: Module = (op) =>
  atUri(
    op,
    (_client, _keys, object) => unsigned(object),
    (_client, _object, sent) => refusedOnPage(op, sent, 'invalid_request_object'),
  )
