// What the metadata publish is what the wire does, and what it does is published: OpenID Discovery §3, RFC 8414 §2.
import {
  asymmetricAlgorithms,
  contentEncryptions,
  keyManagementAlgorithms,
  symmetricAlgorithms,
} from '@clientele/domain/client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { profiles } from '../../src/config/profiles.js'
import { started } from '../cli/run.js'
import { reachReceivers, startReceiver } from '../support/receivers.js'
import { masterToken } from '../support/two-services.js'
import { Browser } from './support/browser.js'
import { callback } from './support/relying-party.js'
import { walksOfPages } from './support/walked-pages.js'
import { walksOfResponses } from './support/walked-responses.js'
import {
  type Json,
  type Op,
  algorithmOf,
  answered,
  ask,
  client,
  formOf,
  listOf,
  register,
  requestOf,
  requires,
  said,
  sign,
  tokensOf,
  tried,
  urlOf,
  userInfo,
  verifier,
} from './support/walked-service.js'

const policy = {
  allowed_token_endpoint_auth_methods: ['private_key_jwt', 'none'],
  allowed_algorithms: ['PS256', 'ES256', 'RSA-OAEP-256', 'A256GCM'],
}

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  default: {},
  'a strict policy': { 'signing-algorithms': 'PS256,ES256', 'registration-policy-json': JSON.stringify(policy) },
  ...Object.fromEntries(Object.keys(profiles).map((profile) => [`the profile ${profile}`, { profile }])),
}

/** Whether a dry run says that the registration would not do what was sent, or takes it without a word. */
const isTold = ({ status, json }: { readonly status: number; readonly json: Json }, member: string): boolean =>
  status >= 400 ||
  [json['warnings'], json['adjustments']]
    .flat()
    .some((each) => (each as { readonly pointer?: string } | undefined)?.pointer === `/${member}`)

const signing = [...asymmetricAlgorithms, ...symmetricAlgorithms]

/** By list: the member of client metadata, every value that it may have, and what it needs beside it. */
const lists: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, (op: Op, value: string) => Json]> = [
  ...['id_token', 'userinfo', 'introspection', 'authorization'].flatMap(
    (name) =>
      [
        [`${name}_signing_alg_values`, `${name}_signed_response_alg`, signing, () => ({})],
        [
          `${name}_encryption_alg_values`,
          `${name}_encrypted_response_alg`,
          keyManagementAlgorithms,
          (op: Op) => ({ [`${name}_encrypted_response_enc`]: listOf(op, `${name}_encryption_enc_values`)[0] }),
        ],
        [
          `${name}_encryption_enc_values`,
          `${name}_encrypted_response_enc`,
          contentEncryptions,
          (op: Op) => ({ [`${name}_encrypted_response_alg`]: listOf(op, `${name}_encryption_alg_values`)[0] }),
        ],
      ] as const,
  ),
  ['request_object_signing_alg_values', 'request_object_signing_alg', signing, () => ({})],
  [
    'token_endpoint_auth_signing_alg_values',
    'token_endpoint_auth_signing_alg',
    signing,
    (_op, value) =>
      value.startsWith('HS') ? { token_endpoint_auth_method: 'client_secret_jwt', jwks: undefined } : {},
  ],
  ['subject_types', 'subject_type', ['public', 'pairwise'], () => ({})],
]

const grants = [
  ...['authorization_code', 'implicit', 'refresh_token', 'client_credentials', 'password'],
  ...['urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:ietf:params:oauth:grant-type:saml2-bearer'],
  ...['urn:ietf:params:oauth:grant-type:device_code', 'urn:openid:params:grant-type:ciba'],
]

const modes = ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'web_message']

const families: Readonly<Record<string, (op: Op) => Promise<void>>> = {
  'an algorithm is registered exactly where it is listed': async (op) => {
    for (const [list, member, values, beside] of lists)
      for (const value of values) {
        const { status, json } = await tried(op, { ...client, ...beside(op, value), [member]: value })
        const isTaken = status === 200 && json[member] === value
        assert.is(isTaken, listOf(op, list).includes(value), `${member} ${value} ${JSON.stringify(json)}`)
      }
  },
  'a method is taken where it is listed, and never in silence elsewhere': async (op) => {
    for (const method of [
      ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
      ...['tls_client_auth', 'self_signed_tls_client_auth'],
    ]) {
      const certificate = method === 'tls_client_auth' ? { tls_client_auth_subject_dn: 'CN=app' } : {}
      const grant_types = ['authorization_code']
      const sent = { ...client, ...certificate, grant_types, token_endpoint_auth_method: method }
      const isListed = listOf(op, 'token_endpoint_auth_methods').includes(method)
      assert.is(isTold(await tried(op, sent), 'token_endpoint_auth_method'), !isListed, method)
      for (const endpoint of ['revocation', 'introspection'])
        assert.is(
          listOf(op, `${endpoint}_endpoint_auth_methods`).includes(method),
          isListed && (endpoint === 'revocation' || method !== 'none'),
          `${endpoint} ${method}`,
        )
    }
  },
  'a response type is answered where it is listed, and never taken in silence elsewhere': async (op) => {
    const all = [
      'code',
      'id_token',
      'code id_token',
      'none',
      'token',
      'id_token token',
      'code token',
      'code id_token token',
    ]
    const listed = listOf(op, 'response_types')
    const client_id = await register(op, { response_types: listed })
    for (const response_type of all) {
      const isListed = listed.includes(response_type)
      const told = await tried(op, { ...client, response_types: [response_type] })
      assert.is(isTold(told, 'response_types'), !isListed, response_type)
      const answer = await answered(op, client_id, { response_type })
      assert.is(answer.get('error') === null, isListed, `${response_type} ${answer.toString()}`)
      const words = response_type.split(' ').filter((each) => each !== 'none')
      const wanted = words.map((each) => (each === 'token' ? 'access_token' : each))
      if (isListed) for (const each of wanted) assert.ok(answer.has(each), `${response_type} ${answer.toString()}`)
    }
  },
  'a grant is done where it is listed, and told at registration elsewhere': async (op) => {
    const client_id = await register(op)
    for (const grant of grants) {
      const isListed = listOf(op, 'grant_types').includes(grant)
      const told = await tried(op, { ...client, grant_types: [...client.grant_types, grant] })
      if (!client.grant_types.includes(grant)) assert.is(isTold(told, 'grant_types'), !isListed, grant)
      // Of implicit, the token endpoint has no part.
      const { json } = await ask(op, '/token', client_id, { grant_type: grant })
      if (grant !== 'implicit') assert.is(json['error'] !== 'unsupported_grant_type', isListed, grant)
    }
  },
  'assertions, request objects and proofs are taken by each listed algorithm, and by no other': async (op) => {
    const client_id = await register(op)
    const { url } = op.service
    for (const alg of asymmetricAlgorithms) {
      const client_assertion = await sign(alg, { iss: client_id, sub: client_id, aud: url })
      const granted = { grant_type: 'client_credentials' }
      const asserted = await ask(op, '/token', client_id, { ...granted, client_assertion })
      for (const [path, list] of [
        ['/revoke', 'revocation'],
        ['/introspect', 'introspection'],
      ] as const) {
        const jwt = await sign(alg, { iss: client_id, sub: client_id, aud: url })
        const { status } = await ask(op, path, client_id, { token: 'unknown', client_assertion: jwt })
        assert.is(
          status === 200,
          listOf(op, `${list}_endpoint_auth_signing_alg_values`).includes(alg),
          `${path} ${alg}`,
        )
      }
      const isListed = (list: string) => listOf(op, `${list}_signing_alg_values`).includes(alg)
      assert.is(asserted.status === 200, isListed('token_endpoint_auth'), `assertion ${alg}`)
      const request = await sign(alg, { ...requestOf(client_id), iss: client_id, aud: url })
      const pushed = await ask(op, '/par', client_id, { request })
      assert.is(pushed.status === 201, isListed('request_object'), `object ${alg} ${JSON.stringify(pushed.json)}`)
      const proven = await ask(op, '/token', client_id, granted, { dpop: alg })
      assert.is(proven.status === 200, isListed('dpop'), `proof ${alg}`)
    }
  },
  'each listed scope value is granted, and each listed claim is there': async (op) => {
    const grant_types = ['authorization_code', 'refresh_token']
    const client_id = await register(op, { grant_types })
    const scope = listOf(op, 'scopes').join(' ')
    const {
      id_token,
      access_token,
      scope: granted,
    } = await tokensOf(op, client_id, {
      scope,
      prompt: 'consent',
      max_age: '3600',
    })
    assert.equal(
      String(granted ?? scope)
        .split(' ')
        .sort(),
      scope.split(' ').sort(),
    )
    const said = {
      ...(JSON.parse(Buffer.from(String(id_token).split('.')[1] ?? '', 'base64url').toString()) as Json),
      ...(JSON.parse(await userInfo(op, String(access_token))) as Json),
    }
    assert.equal(
      listOf(op, 'claims').filter((name) => !Object.hasOwn(said, name)),
      [],
    )
  },
  'each listed prompt is taken, and no other': async (op) => {
    const client_id = await register(op)
    for (const prompt of ['none', 'login', 'select_account', 'consent', 'create']) {
      const error = (await answered(op, client_id, { prompt })).get('error')
      const isListed = listOf(op, 'prompt_values').includes(prompt)
      assert.is(error, isListed ? (prompt === 'none' ? 'login_required' : null) : 'invalid_request', prompt)
    }
  },
  'each listed response mode is used, and no other': async (op) => {
    const client_id = await register(op)
    for (const response_mode of modes) {
      const { url, error } = await urlOf(op, client_id, { response_mode, prompt: 'none' })
      const answer = url === undefined ? undefined : await new Browser().open(url)
      const location = answer?.headers.get('location') ?? ''
      const page = location === '' ? await answer?.text() : ''
      const mark = response_mode.startsWith('form_post')
        ? `action="${callback}"`
        : response_mode.endsWith('jwt')
          ? 'response='
          : 'login_required'
      const isUsed = error === undefined && `${location}${page}`.includes(mark)
      assert.is(isUsed, listOf(op, 'response_modes').includes(response_mode), `${response_mode} ${location}`)
    }
  },
  'what is true or false about parameters is so': async (op) => {
    const client_id = await register(op)
    const plain = await fetch(
      `${op.service.url}/authorize?${formOf(requestOf(client_id, { prompt: 'none' })).toString()}`,
      {
        redirect: 'manual',
      },
    )
    const { searchParams } = new URL(plain.headers.get('location') ?? '', op.service.url)
    assert.is(searchParams.get('error'), requires(op) ? 'invalid_request' : 'login_required')
    assert.is(
      searchParams.get('iss') === said(op, 'issuer'),
      said(op, 'authorization_response_iss_parameter_supported'),
    )
    assert.is(
      (await answered(op, client_id, { code_challenge: verifier, code_challenge_method: 'plain' })).get('error'),
      'invalid_request',
    )
    assert.equal(listOf(op, 'code_challenge_methods'), ['S256'])
    const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }
    const { error } = Object.fromEntries(await answered(op, client_id, withoutPkce))
    assert.is(error, op.requiresPkce ? 'invalid_request' : undefined)
    assert.is(said(op, 'request_parameter_supported'), true)
  },
  // OpenID Core §6.2
  'a request at a registered URI is fetched where the metadata say so, and one elsewhere is refused': async (op) => {
    const isSupported = said(op, 'request_uri_parameter_supported') === true
    assert.is(said(op, 'require_request_uri_registration'), isSupported ? true : undefined)
    const served = { object: '' }
    const host = await startReceiver((response) => void response.end(served.object))
    const client_id = await register(op, { request_uris: [host.uri] })
    served.object = await sign(algorithmOf(op), { ...requestOf(client_id), iss: client_id, aud: op.service.url })
    const at = async (request_uri: string): Promise<string> => {
      const fields = formOf({ ...requestOf(client_id), prompt: 'none', client_id, request_uri })
      const answer = await fetch(`${op.service.url}/authorize?${fields.toString()}`, { redirect: 'manual' })
      return `${answer.headers.get('location')}${await answer.text()}`
    }
    assert.match(await at(host.uri), isSupported ? '/interaction/' : 'request_uri_not_supported')
    assert.match(
      await at('https://rp.example/request'),
      isSupported ? 'invalid_request_uri' : 'request_uri_not_supported',
    )
    assert.is(host.received.length, isSupported ? 1 : 0)
    await host.stop()
  },
  'each endpoint answers, and both documents are one': async (op) => {
    const oauth = await fetch(`${op.service.url}/.well-known/oauth-authorization-server`)
    assert.equal(await oauth.json(), op.metadata)
    for (const [name, value] of Object.entries(op.metadata)) {
      if (!/_endpoint$|^jwks_uri$/.test(name)) continue
      op.walked.add(name)
      const answers = await Promise.all(
        ['GET', 'POST'].map((method) => fetch(String(value), { method, redirect: 'manual' })),
      )
      assert.ok(
        answers.some(({ status }) => ![404, 405].includes(status)),
        name,
      )
    }
  },
  ...walksOfResponses,
  ...walksOfPages,
  'no member is published that is not compared here': async (op) => {
    assert.equal(
      Object.keys(op.metadata).filter((name) => !op.walked.has(name)),
      [],
    )
  },
}

for (const [kind, settings] of Object.entries(kinds)) {
  const honest = suite<Op & { readonly stop: () => Promise<void> }>(`the metadata are honest: ${kind}`)
  honest.before(async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const given = { engine: 'oidc-provider', 'data-dir': directory, 'master-token': masterToken, ...settings }
    const service = await started(given, { outbound: reachReceivers })
    const stop = async (): Promise<void> => {
      await service.stop()
      rmSync(directory, { recursive: true })
    }
    const metadata = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json()
    Object.assign(context, {
      service,
      metadata,
      walked: new Set(),
      bindsTokens: settings['profile'] === 'fapi2',
      requiresPkce: ['mcp', 'fapi2'].includes(settings['profile'] ?? ''),
      stop,
    })
  })
  honest.after(({ stop }) => stop())
  for (const [name, run] of Object.entries(families)) honest(name, run)
  honest.run()
}
