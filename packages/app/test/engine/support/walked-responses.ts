// Signed and encrypted responses, and encrypted requests, by each algorithm that the metadata list.
import { contentEncryptions, keyManagementAlgorithms } from '@clientele/domain/client'
import {
  CompactEncrypt,
  type JSONWebKeySet,
  compactDecrypt,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
} from 'jose'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import {
  type Json,
  type Op,
  algorithmOf,
  answered,
  ask,
  asked,
  listOf,
  privateKeyFor,
  redeemed,
  registered,
  requestOf,
  said,
  sign,
  userInfo,
} from './walked-service.js'

const names = ['id_token', 'userinfo', 'introspection', 'authorization'] as const
type Texts = Readonly<Record<(typeof names)[number], string>>

const keySetOf = async (op: Op): Promise<JSONWebKeySet> =>
  (await (await fetch(String(said(op, 'jwks_uri')))).json()) as JSONWebKeySet

// RFC 7518 §4.4, §4.7, §5.1: the octets of the key of the wrapping, or else of the content
const lengthOf = (alg: string, enc: string): number => {
  const [, bits = ''] = /^A(\d+)(?:GCM)?KW$/.exec(alg) ?? /^A(?:\d+CBC-HS)?(\d+)(?:GCM)?$/.exec(enc) ?? []
  return Number(bits) / 8
}

// OpenID Core §10.2: the leftmost octets of the shortest digest of the secret that is long enough
const secretKeyFor = (secret: string, alg: string, enc: string): Uint8Array => {
  const length = lengthOf(alg, enc)
  const hash = length <= 32 ? 'sha256' : length <= 48 ? 'sha384' : 'sha512'
  return createHash(hash).update(secret).digest().subarray(0, length)
}

const isByKeyPair = (alg: string): boolean => /^(?:RSA|ECDH)/.test(alg)

type Encrypted = { readonly text: string; readonly alg: string; readonly enc: string }

/** What was encrypted to the client, and by which algorithms. */
const decrypted = async (jwe: string, secret = ''): Promise<Encrypted> => {
  const { alg = '', enc = '', kid } = decodeProtectedHeader(jwe) as Readonly<Record<string, string>>
  const key = isByKeyPair(alg) ? await privateKeyFor(kid, alg) : secretKeyFor(secret, alg, enc)
  const { plaintext } = await compactDecrypt(jwe, key)
  return { text: new TextDecoder().decode(plaintext), alg, enc }
}

/** The claims before the signature is compared. */
const claimsIn = (jws: string): { readonly code?: unknown } =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as { readonly code?: unknown }

/** What was signed, and by which algorithm: by a key of the service, or by the secret. */
const verified = async (op: Op, jws: string, secret = ''): Promise<{ readonly claims: Json; readonly alg: string }> => {
  const { alg = '' } = decodeProtectedHeader(jws)
  const { payload } = alg.startsWith('HS')
    ? await compactVerify(jws, new TextEncoder().encode(secret))
    : await compactVerify(jws, createLocalJWKSet(await keySetOf(op)))
  return { claims: JSON.parse(new TextDecoder().decode(payload)) as Json, alg }
}

/** All responses that a client gets as JWTs, in one sign-in; `open` reads a response. */
const responsesTo = async (op: Op, client_id: string, open: (text: string) => Promise<string>): Promise<Texts> => {
  const authorization = (await answered(op, client_id, { response_mode: 'jwt' })).get('response') ?? ''
  const { code } = claimsIn(await open(authorization))
  const { id_token, access_token } = await redeemed(op, client_id, String(code))
  const accept = { Accept: 'application/token-introspection+jwt' }
  const introspected = await asked(op, '/introspect', client_id, { token: String(access_token) }, { headers: accept })
  return {
    authorization,
    id_token: String(id_token),
    userinfo: await userInfo(op, String(access_token)),
    introspection: await introspected.text(),
  }
}

const memberOf = (name: string, kind: 'signed' | 'encrypted', part: 'alg' | 'enc'): string =>
  `${name}_${kind}_response_${part}`

const ofAll = (of: (name: string) => Readonly<Record<string, string>>): Json => Object.assign({}, ...names.map(of))

/** Registers a client that gets every response encrypted so, and decrypts all of them. */
const assertEncrypted = async (op: Op, alg: string, enc: string): Promise<void> => {
  const members = ofAll((name) => ({
    [memberOf(name, 'encrypted', 'alg')]: alg,
    [memberOf(name, 'encrypted', 'enc')]: enc,
  }))
  const { client_id, client_secret } = await registered(op, members)
  const open = async (text: string): Promise<string> => (await decrypted(text, client_secret)).text
  const texts = await responsesTo(op, client_id, open)
  for (const name of names) {
    const { text, ...by } = await decrypted(texts[name], client_secret)
    assert.equal(by, { alg, enc }, name)
    assert.ok(Object.keys((await verified(op, text, client_secret)).claims).length > 0, name)
  }
}

/** The request object as a push that is encrypted so; undefined where there is no key for that. */
const pushEncrypted = async (op: Op, alg: string, enc: string): Promise<number | undefined> => {
  const isSymmetric = !isByKeyPair(alg)
  const isListed = (part: 'alg' | 'enc', value: string) =>
    listOf(op, `request_object_encryption_${part}_values`).includes(value)
  // A client has a secret where one of its algorithms needs one.
  if (isSymmetric && !(isListed('alg', alg) && isListed('enc', enc))) return undefined
  const members = isSymmetric ? { request_object_encryption_alg: alg, request_object_encryption_enc: enc } : {}
  const { client_id, client_secret = '' } = await registered(op, members)
  const { keys } = await keySetOf(op)
  const jwk = keys.find(({ use, kty }) => use === 'enc' && kty === (alg.startsWith('RSA') ? 'RSA' : 'EC'))
  if (!isSymmetric && jwk === undefined) return undefined
  const key = jwk === undefined || isSymmetric ? secretKeyFor(client_secret, alg, enc) : await importJWK(jwk, alg)
  const object = await sign(algorithmOf(op), { ...requestOf(client_id), iss: client_id, aud: op.service.url })
  const kid = isSymmetric || jwk?.kid === undefined ? {} : { kid: jwk.kid }
  const request = await new CompactEncrypt(new TextEncoder().encode(object))
    .setProtectedHeader({ alg, enc, cty: 'JWT', ...kid })
    .encrypt(key)
  return (await ask(op, '/par', client_id, { request })).status
}

export const walksOfResponses: Readonly<Record<string, (op: Op) => Promise<void>>> = {
  // OpenID Core §2, §5.3.2, JARM §2.2, RFC 9701 §5
  'ID tokens, UserInfo, authorization and introspection responses are signed by each listed algorithm': async (op) => {
    const lists = names.map((name) => listOf(op, `${name}_signing_alg_values`))
    for (const alg of new Set(lists.flat())) {
      assert.ok(
        lists.every((list) => list.includes(alg)),
        alg,
      )
      const members = ofAll((name) => ({ [memberOf(name, 'signed', 'alg')]: alg }))
      const { client_id, client_secret } = await registered(op, members)
      const texts = await responsesTo(op, client_id, (text) => Promise.resolve(text))
      for (const name of names) assert.is((await verified(op, texts[name], client_secret)).alg, alg, name)
    }
  },
  // OpenID Core §10.2, JARM §2.3
  'each response is encrypted by each listed algorithm, and with each listed content encryption': async (op) => {
    const listsOf = (part: 'alg' | 'enc') => names.map((name) => listOf(op, `${name}_encryption_${part}_values`))
    const [algorithms = [], ...others] = listsOf('alg')
    const [contents = [], ...more] = listsOf('enc')
    for (const list of others) assert.equal(list, algorithms)
    for (const list of more) assert.equal(list, contents)
    for (const alg of algorithms) await assertEncrypted(op, alg, String(contents[0]))
    for (const enc of contents.slice(1)) await assertEncrypted(op, String(algorithms[0]), enc)
  },
  // RFC 9101 §6.1
  'request objects are decrypted by each listed algorithm, and by no other': async (op) => {
    const algorithms = listOf(op, 'request_object_encryption_alg_values')
    const contents = listOf(op, 'request_object_encryption_enc_values')
    for (const alg of keyManagementAlgorithms) {
      const status = await pushEncrypted(op, alg, String(contents[0]))
      if (status === undefined) assert.not.ok(algorithms.includes(alg), alg)
      else assert.is(status === 201, algorithms.includes(alg), `${alg} ${status}`)
    }
    for (const enc of contentEncryptions) {
      const status = await pushEncrypted(op, String(algorithms[0]), enc)
      assert.is(status === 201, contents.includes(enc), `${enc} ${status}`)
    }
  },
}
