// Modules about request objects: OpenID Core §6. The service takes signed ones by value only.
import { SignJWT, UnsecuredJWT } from 'jose'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { newKeys, privateKeyClient } from './clients.js'
import { completed, refusedOnPage, requestOf, urlOf } from './flow.js'
import type { Module } from './plan.js'

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

/** Beyond the suite: a signed one counts, whatever the parameter beside it says (OpenID Core §6.1, RFC 9101 §6.3). */
export const signedRequestObjectWithRedirectUri: Module = async (op) => {
  await requestObjectWithRedirectUri(op)
  const keys = await newKeys()
  const client = await privateKeyClient(op.provider.service, {}, () => keys)
  const signed = requestOf(client)
  const request = await new SignJWT({ ...Object.fromEntries(signed), iss: client.id, aud: op.base })
    .setProtectedHeader({ alg: 'RS256', kid: String(keys.jwk.kid) })
    .sign(keys.privateKey)
  const sent = requestOf(client, { request, redirect_uri: `${client.redirectUri}/unregistered` })
  await completed(op, client, signed, await op.browser().visit(urlOf(op, sent)))
}

// OpenID Core §3.1.2.6
export const requestUri: Module = async (op) => {
  const request_uri = `https://rp.example/request#${createHash('sha256').update('').digest('base64url')}`
  const client = await op.client({ request_uris: [request_uri] })
  await refusedOnPage(op, requestOf(client, { request_uri }), 'request_uri_not_supported')
}
