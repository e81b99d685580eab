import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients, rulesOf } from '../support/metadata/refusals.js'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const dryRuns = suite<{ service: Service }>('a dry run tells what it would add, and changes nothing')

dryRuns.before(async (context) => {
  context.service = await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256,ES384' })
})
dryRuns.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const dryPost = (service: Service, json: unknown, token = service.master): Promise<Answer> =>
  send(service, '/clients?dry_run=true', { method: 'POST', json, token })

const credentials = ['client_secret', 'client_secret_expires_at', 'registration_access_token']

const defaults = {
  application_type: 'web',
  grant_types: ['authorization_code'],
  id_token_signed_response_alg: 'RS256',
  response_types: ['code'],
  subject_type: 'public',
  token_endpoint_auth_method: 'client_secret_basic',
}
const { response_types, ...defaultsWithoutResponseTypes } = defaults

type Case = readonly [
  body: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
  dropped?: ReadonlyArray<string>,
]

const cases: Readonly<Record<string, Case>> = {
  'every default, when nothing is said': [{ redirect_uris }, defaults],
  'nothing, when all is said': [{ redirect_uris, ...defaults }, {}],
  'only what is not said': [
    { redirect_uris, ...defaultsWithoutResponseTypes, client_name: 'A', 'client_name#fr': 'B', data: { a: 1 } },
    { response_types },
  ],
  'no response type for a client that never redirects': [
    { grant_types: ['client_credentials'] },
    {
      application_type: 'web',
      id_token_signed_response_alg: 'RS256',
      response_types: [],
      subject_type: 'public',
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  'the content encryption that goes with the algorithm': [
    { redirect_uris, ...defaults, jwks_uri: 'https://rp.example/jwks', userinfo_encrypted_response_alg: 'ECDH-ES' },
    { userinfo_encrypted_response_enc: 'A128CBC-HS256' },
  ],
  'what is chosen from what the client supports': [
    {
      redirect_uris,
      ...Object.fromEntries(Object.entries(defaults).filter(([name]) => name !== 'id_token_signed_response_alg')),
      id_token_signing_alg_values_supported: ['ML-DSA-44', 'ES384', 'ES256'],
    },
    { id_token_signed_response_alg: 'ES384' },
  ],
  'nothing of what is not known': [{ redirect_uris, ...defaults, is_admin: true, '': 1 }, {}, ['is_admin', '']],
}

for (const [name, [body, added, dropped = []]] of Object.entries(cases)) {
  dryRuns(`POST adds ${name}`, async ({ service }) => {
    const before = await allClients(service)
    const dry = await dryPost(service, body)
    assert.is(dry.status, 200, dry.text)
    assert.equal([dry.json['added'], dry.json['dropped']], [added, dropped])
    for (const member of [...credentials, 'client_id', 'registration_client_uri', 'client_id_issued_at'])
      assert.not(member in dry.json, member)
    assert.is(dry.headers.get('cache-control'), 'no-store')
    assert.is(await allClients(service), before)
    const { json } = await register(service, body)
    for (const [member, value] of Object.entries(dry.json))
      if (!['added', 'adjustments', 'dropped', 'warnings'].includes(member))
        assert.equal(json[member], value, `${member} as it is registered then`)
    assert.not('added' in json || 'adjustments' in json || 'dropped' in json || 'warnings' in json)
  })

  dryRuns(`PUT adds ${name}`, async ({ service }) => {
    const registered = await register(service)
    const sent = { ...body, client_id: registered.json['client_id'] }
    const { path, token } = configurationOf(registered)
    const dry = await send(service, `${path}?dry_run=true`, { method: 'PUT', token, json: sent })
    assert.is(dry.status, 200, dry.text)
    assert.equal([dry.json['added'], dry.json['dropped']], [added, dropped])
    assert.is(dry.json['client_id'], registered.json['client_id'])
    for (const member of credentials) assert.not(member in dry.json, member)
    assert.equal((await send(service, path, { token })).json, registered.json)
  })
}

dryRuns('a dry run with a token spends nothing, however often', async ({ service }) => {
  const token = await issueToken(service, 'client-reg:grant:code')
  const before = await allClients(service)
  for (const client_name of ['A', 'B', 'C'])
    assert.is((await dryPost(service, { redirect_uris, client_name }, token)).status, 200)
  assert.is((await dryPost(service, { redirect_uris, scope: 'openid' }, token)).status, 403)
  assert.is(await allClients(service), before)
  assert.is((await register(service, { redirect_uris }, token)).status, 200)
})

dryRuns('a dry run that is refused tells the same as the registration', async ({ service }) => {
  const body = { redirect_uris: ['http://rp.example/'], client_name: 7, jwks: 'x' }
  const dry = await dryPost(service, body)
  const real = await register(service, body)
  assert.is(dry.status, 400)
  assert.is(dry.text, real.text)
  assert.ok(rulesOf(dry).length === 3)
})

dryRuns('members named added and dropped are not taken for the answer', async ({ service }) => {
  const { json } = await dryPost(service, { redirect_uris, ...defaults, added: { evil: true }, dropped: [] })
  assert.equal([json['added'], json['dropped']], [{}, ['added', 'dropped']])
})

dryRuns(
  'what the service does not ask is told as warnings, and to the operator once it is registered',
  async ({ service }) => {
    const body = { redirect_uris, backchannel_logout_uri: 'https://10.0.0.5/out' }
    const { json } = await dryPost(service, body)
    const warnings = JSON.parse(JSON.stringify(json['warnings'])).map(
      ({ pointer, rule, description }: Readonly<Record<string, string>>) => [pointer, rule, typeof description],
    )
    assert.equal(warnings, [
      ['/backchannel_logout_uri', 'logout-not-sent', 'string'],
      ['/backchannel_logout_uri', 'host-not-reached', 'string'],
    ])
    assert.equal((await dryPost(service, { redirect_uris })).json['warnings'], [])
    const registered = await register(service, body)
    const { path, token } = configurationOf(registered)
    assert.is((await send(service, path, { method: 'PUT', token, json: body })).status, 200)
    const reported = service
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('"a client names what this service does not ask"'))
      .map((line) => JSON.parse(line))
    assert.is(reported.length, 4)
    for (const { level, client_id, member, remedy } of reported) {
      assert.equal([level, client_id, member], ['warn', registered.json['client_id'], 'backchannel_logout_uri'])
      assert.match(remedy, /outbound-(fetches|allowed-networks)/)
    }
  },
)

dryRuns('unknown members are told with what may be meant, to the operator without their names', async ({ service }) => {
  const body = { redirect_uris, scpoe: 'openid', 'client_nme#de': 'Laden', zzz_of_the_client: true }
  const { json } = await dryPost(service, body)
  assert.equal(
    json['warnings'],
    [
      ['/scpoe', 'is unknown: did you mean scope?'],
      ['/client_nme#de', 'is unknown: did you mean client_name with the language tag?'],
      ['/zzz_of_the_client', 'is unknown'],
    ].map(([pointer, text]) => ({
      pointer,
      rule: 'unknown-member',
      description: `The member was left out, because it ${text}`,
    })),
  )
  const registered = await register(service, body)
  assert.not('warnings' in registered.json)
  const { stderr } = service.output()
  const lines = stderr.split('\n').filter((line) => line.includes('"a client sent members that were left out"'))
  const [line] = lines.map((each) => JSON.parse(each)).filter((each) => each.client_id === registered.json['client_id'])
  assert.equal([line.level, line.members, line.remedies.length], ['info', 3, 3])
  assert.match(line.remedies.join(), 'did you mean scope?')
  for (const name of ['scpoe', 'client_nme', 'zzz_of_the_client']) assert.not.match(stderr, name)
})

dryRuns('with registration-warnings the answers have the same warnings, and an update may repeat them', async () => {
  const service = await startService({ CLIENTELE_REGISTRATION_WARNINGS: 'true' })
  const registered = await register(service, { redirect_uris, scpoe: 'openid' })
  const warnings = [
    {
      pointer: '/scpoe',
      rule: 'unknown-member',
      description: 'The member was left out, because it is unknown: did you mean scope?',
    },
  ]
  assert.equal([registered.status, registered.json['warnings']], [200, warnings])
  assert.not('warnings' in (await register(service, { redirect_uris })).json)
  const { path, token } = configurationOf(registered)
  const { client_id, client_secret, redirect_uris: uris } = registered.json
  const repeated = { client_id, client_secret, redirect_uris: uris, warnings }
  const updated = await send(service, path, { method: 'PUT', token, json: repeated })
  assert.equal([updated.status, 'warnings' in updated.json], [200, false])
  const again = { token: String(updated.json['registration_access_token']), method: 'PUT' }
  const unknown = await send(service, path, { ...again, json: { client_id, redirect_uris, scpoe: 1 } })
  assert.equal(unknown.json['warnings'], warnings)
  await service.stop()
  discard(service.dataDir)
})

dryRuns('a preset identifier stays free, and a preset secret is not told', async ({ service }) => {
  const preset = { redirect_uris, preferred_client_id: 'dry-run', preferred_client_secret: 'x'.repeat(32) }
  const dry = await dryPost(service, preset)
  assert.is(dry.status, 200)
  assert.not.match(dry.text, 'x'.repeat(32))
  assert.is((await register(service, preset)).json['client_id'], 'dry-run')
})

dryRuns.run()
