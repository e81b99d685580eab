import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ReportedFault, allClients, assertCareful, faultsOf, rulesOf } from '../support/metadata/refusals.js'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const faults = suite<{ service: Service }>('all faults of a body are told at once')

faults.before(async (context) => {
  context.service = await startService()
})
faults.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

type Case = {
  readonly error: string
  readonly reported: ReadonlyArray<string>
  readonly body: Readonly<Record<string, unknown>>
}

const cases: Readonly<Record<string, Case>> = {
  'fifteen members that break their own rules': {
    error: 'invalid_redirect_uri',
    reported: [
      '/redirect_uris/0 uri-fragment',
      '/token_endpoint_auth_method auth-method',
      '/grant_types/0 grant-type',
      '/response_types/0 response-type',
      '/application_type application-type',
      '/client_name text',
      '/logo_uri#fr web-uri',
      '/scope scope',
      '/contacts/1 contact',
      '/jwks/keys/0/k jwk-private',
      '/software_version string',
      '/default_max_age seconds',
      '/require_auth_time boolean',
      '/backchannel_logout_uri https-uri',
      '/data data',
    ],
    body: {
      data: [],
      backchannel_logout_uri: 'http://rp.example/back',
      require_auth_time: 'true',
      default_max_age: -1,
      software_version: 7,
      jwks: { keys: [{ kty: 'oct', k: 'AA' }] },
      contacts: ['ops@rp.example', '\u0007'],
      scope: 'a  b',
      'logo_uri#fr': 'javascript:alert(1)',
      client_name: '',
      application_type: 'desktop',
      response_types: ['codex'],
      grant_types: ['a b'],
      token_endpoint_auth_method: 'magic',
      redirect_uris: ['https://rp.example/#f', 'https://rp.example/cb'],
    },
  },
  'seven rules across members': {
    error: 'invalid_redirect_uri',
    reported: [
      '/redirect_uris/1 redirect-uri-web',
      '/response_types/1 response-type-grant',
      '/jwks_uri jwks-exclusive',
      '/subject_type pairwise-sector',
      '/id_token_encrypted_response_enc encryption-needs-algorithm',
      '/token_endpoint_auth_signing_alg auth-signing-algorithm',
      '/frontchannel_logout_uri frontchannel-origin',
    ],
    body: {
      frontchannel_logout_uri: 'https://c.example/out',
      token_endpoint_auth_signing_alg: 'ES256',
      id_token_encrypted_response_enc: 'A128GCM',
      subject_type: 'pairwise',
      jwks_uri: 'https://a.example/jwks',
      jwks: { keys: [] },
      response_types: ['code', 'token'],
      redirect_uris: ['https://a.example/', 'http://b.example/'],
    },
  },
  'seven that do not concern redirect_uris': {
    error: 'invalid_client_metadata',
    reported: [
      '/client_uri uri-user-info',
      '/logo_uri uri-host',
      '/contacts unique-items',
      '/software_id text',
      '/id_token_signed_response_alg signing-algorithm-or-none',
      '/request_uris/1 request-uri',
      '/post_logout_redirect_uris/0 redirect-uri-web',
    ],
    body: {
      post_logout_redirect_uris: ['http://rp.example/bye'],
      request_uris: ['https://rp.example/r', 'http://rp.example/r'],
      id_token_signed_response_alg: 'rs256',
      software_id: ' ',
      contacts: ['a@rp.example', 'a@rp.example'],
      logo_uri: 'https:/rp.example',
      client_uri: 'https://u@rp.example/',
      redirect_uris,
    },
  },
}

// RFC 6901 §4
const at = (body: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => {
      const inside: ReadonlyMap<string, unknown> = new Map(Object.entries(Object(value)))
      return inside.get(step.replace(/~1/g, '/').replace(/~0/g, '~'))
    }, body)

const assertReported = (answer: Answer, { error, reported, body }: Case): void => {
  assertCareful(answer, 400, error)
  assert.equal(rulesOf(answer), reported)
  const [first] = faultsOf(answer)
  assert.is(answer.json['error_description'], first?.description)
  const member = ({ pointer }: ReportedFault): string => (pointer.split('/')[1] ?? '').replace(/#.*/, '')
  for (const fault of faultsOf(answer)) {
    assert.ok(fault.description.includes(`${member(fault)} `), fault.description)
    assert.is.not(at(body, fault.pointer), undefined, `${fault.pointer} leads into the body`)
  }
}

for (const [name, each] of Object.entries(cases))
  faults(`${name}: in one 400, in the order of members, on POST and PUT alike`, async ({ service }) => {
    const registered = await register(service)
    const { path, token: rat } = configurationOf(registered)
    const token = await issueToken(service, 'client-reg')
    const before = await allClients(service)
    const reversed = Object.fromEntries(Object.entries(each.body).reverse())
    const answers = [
      await register(service, each.body, token),
      await register(service, reversed, token),
      await send(service, path, { method: 'PUT', token: rat, json: each.body }),
      await send(service, path, { method: 'PUT', token: service.master, json: reversed }),
      await send(service, '/clients?dry_run=true', { method: 'POST', token, json: each.body }),
    ]
    for (const answer of answers) assertReported(answer, each)
    assert.is(new Set(answers.map(({ text }) => text)).size, 1, 'the answers are the same text')
    assert.is(await allClients(service), before)
  })

faults('what no update may hold is told after the faults of members', async ({ service }) => {
  const { path, token } = configurationOf(await register(service))
  const json = {
    registration_access_token: 'x',
    preferred_client_id: 'y',
    client_id: 'z',
    client_name: 7,
    redirect_uris: [],
  }
  const answer = await send(service, path, { method: 'PUT', token, json })
  assert.is(answer.json['error'], 'invalid_redirect_uri')
  assert.equal(rulesOf(answer), [
    '/redirect_uris redirect-uris-required',
    '/client_name string',
    '/client_id client-id-mismatch',
    '/registration_access_token server-issued',
    '/preferred_client_id create-only',
  ])
})

faults('faulty presets are told after the faults of members', async ({ service }) => {
  const answer = await register(service, {
    preferred_client_secret: 'short',
    preferred_client_id: '..',
    client_name: 7,
    redirect_uris,
  })
  assert.is(answer.json['error'], 'invalid_client_metadata')
  assert.equal(rulesOf(answer), [
    '/client_name string',
    '/preferred_client_id preferred-client-id',
    '/preferred_client_secret preferred-client-secret',
  ])
})

for (const [name, [body, reported]] of Object.entries({
  'keys that are faulty are not also missing': [
    { token_endpoint_auth_method: 'private_key_jwt', jwks: 'x' },
    '/jwks jwk-set',
  ],
  'a faulty grant is not also without its response type': [{ grant_types: 7 }, '/grant_types array'],
  'a faulty method is not also unfit for its algorithm': [
    { token_endpoint_auth_method: 'x', id_token_signed_response_alg: 'HS256' },
    '/token_endpoint_auth_method auth-method',
  ],
} as const))
  faults(`one mistake is told once: ${name}`, async ({ service }) => {
    assert.equal(rulesOf(await register(service, { redirect_uris, ...body })), [reported])
  })

faults.run()
