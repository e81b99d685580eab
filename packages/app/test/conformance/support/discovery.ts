// Modules about the metadata and the key set: OpenID Discovery §3, §4; RFC 8414 §2.
import * as assert from 'uvu/assert'
import { run } from '../../cli/run.js'
import { type Answer, send } from '../../support/requests.js'
import { discard, newDataDir, startService } from '../../support/service.js'
import { type Json, engine } from '../../sign-in/support/provider.js'
import { freePort } from '../../../../adapters-postgresql/test/support/free-port.js'
import type { Op } from './op.js'
import type { Module } from './plan.js'

const listOf = (json: Json, name: string): ReadonlyArray<string> => {
  const value = json[name]
  assert.ok(Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'), name)
  return value
}

const includesAll = (json: Json, name: string, values: ReadonlyArray<string>): void => {
  for (const value of values) assert.ok(listOf(json, name).includes(value), `${name}: ${value}`)
}

type Key = Readonly<Record<string, unknown>>

/** RFC 7517 §4.5, §5; RFC 7518 §6.3.2: public keys, each with a name of its own. */
export const keysIn = ({ status, json }: Answer): ReadonlyArray<Key> => {
  assert.is(status, 200)
  const keys: ReadonlyArray<Key> = Array.isArray(json['keys']) ? json['keys'] : []
  assert.ok(keys.length > 0)
  for (const key of keys) {
    assert.is(key['kty'], 'RSA')
    for (const name of ['n', 'e', 'kid']) assert.match(String(key[name]), /^[\w-]+$/)
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) assert.not.ok(name in key, name)
  }
  assert.is(new Set(keys.map(({ kid }) => kid)).size, keys.length)
  return keys
}

const signing = (keys: ReadonlyArray<Key>): ReadonlyArray<unknown> =>
  keys.filter(({ use }) => use === 'sig').map(({ kid }) => kid)

const uris = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'registration_endpoint', 'jwks_uri']

const checkMetadata = ({ status, headers, json }: Answer, issuer: string): void => {
  assert.is(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.is(json['issuer'], issuer)
  for (const name of uris) assert.type(json[name], 'string', name)
  const endpoints = Object.entries(json).filter(([name]) => /_(?:endpoint|uri)$/.test(name))
  for (const [name, uri] of endpoints) {
    assert.ok(String(uri).startsWith(`${issuer}/`), name)
    assert.ok(URL.canParse(String(uri)), name)
  }
  includesAll(json, 'response_types_supported', ['code', 'id_token'])
  includesAll(json, 'grant_types_supported', ['authorization_code', 'implicit'])
  includesAll(json, 'subject_types_supported', ['public', 'pairwise'])
  includesAll(json, 'id_token_signing_alg_values_supported', ['RS256'])
  includesAll(json, 'userinfo_signing_alg_values_supported', ['RS256'])
  includesAll(json, 'request_object_signing_alg_values_supported', ['RS256'])
  includesAll(json, 'scopes_supported', ['openid'])
  includesAll(json, 'claims_supported', ['sub', 'iss', 'auth_time', 'name', 'email'])
  includesAll(json, 'code_challenge_methods_supported', ['S256'])
  for (const scope of listOf(json, 'scopes_supported')) assert.match(scope, /^[\x21\x23-\x5B\x5D-\x7E]+$/)
  for (const locale of listOf(json, 'ui_locales_supported')) assert.is(Intl.getCanonicalLocales(locale)[0], locale)
  for (const name of ['claims', 'request', 'request_uri'])
    assert.type(json[`${name}_parameter_supported`], 'boolean', name)
}

const at = (base: string, path: string): Promise<Answer> => send({ base }, path)
const document = '/.well-known/openid-configuration'

export const discovery: Module = async ({ base }: Op) => {
  checkMetadata(await at(base, document), base)
  keysIn(await at(base, '/jwks.json'))
}

/** OpenID Connect Dynamic OP: the response types and the requests that its clients may use. */
export const dynamicDiscovery: Module = async (op) => {
  await discovery(op)
  includesAll(op.metadata, 'response_types_supported', ['code', 'id_token', 'id_token token'])
  for (const name of [
    'request_parameter_supported',
    'request_uri_parameter_supported',
    'require_request_uri_registration',
  ])
    assert.is(op.metadata[name], true, name)
}

/** The same of a service behind a proxy, whose endpoints are all https. */
export const discoveryOverHttps: Module = async (op) => {
  await discovery(op)
  const issuer = 'https://localhost/op'
  const port = await freePort()
  const dataDir = newDataDir()
  const settings = { ...engine, CLIENTELE_BASE_URL: issuer, CLIENTELE_PORT: String(port) }
  const service = await startService(settings, dataDir)
  const base = `http://localhost:${port}/op`
  checkMetadata(await at(base, document), issuer)
  keysIn(await at(base, '/jwks.json'))
  await service.stop()
  discard(dataDir)
}

/** OpenID Core §10.1.1: a new signing key is published beside the old one. */
export const rotateKeys: Module = async (op) => {
  const keySet = () => send(op.provider.service, String(op.metadata['jwks_uri']))
  const before = signing(keysIn(await keySet()))
  const { status, errors } = await run(['keys', 'roll-over', `--data-dir=${op.provider.service.dataDir}`])
  assert.is(status, 0, errors)
  const after = signing(keysIn(await keySet()))
  assert.ok(after.some((kid) => !before.includes(kid)))
  for (const kid of before) assert.ok(after.includes(kid))
}

const metadataModule =
  (expected: (base: string) => Json): Module =>
  async ({ base }) => {
    const { json } = await at(base, document)
    checkMetadata(await at(base, document), base)
    const members = expected(base)
    assert.equal(Object.fromEntries(Object.keys(members).map((name) => [name, json[name]])), members)
  }

export const rpInitiatedMetadata = metadataModule((base) => ({ end_session_endpoint: `${base}/logout` }))
export const backChannelMetadata = metadataModule((base) => ({
  end_session_endpoint: `${base}/logout`,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
}))
export const frontChannelMetadata = metadataModule((base) => ({
  end_session_endpoint: `${base}/logout`,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
}))
