import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RegistrationMode, ceilingOf, isNothing, permits } from '../../src/authorization/registrant.js'
import type { RegisteredBy } from '../../src/authorization/credential.js'
import { requestedPrivileges } from '../../src/registration/permit.js'
import { clientInformation } from '../../src/registration/information.js'
import { violatesPolicy, judgeStoredClient, judgeStoredMetadata } from '../../src/registration/decide.js'
import { type RegistrationPolicy, noPolicy } from '../../src/policy/policy.js'
import { decideUpdate } from '../../src/operations/configure.js'
import { ceilings, issued, law, oneSample, registeredClient, registrationSettings } from '@clientele/testing'

const JudgeStoredClient = suite('judgeStoredClient')
const it = law(JudgeStoredClient)

const clients = registeredClient()
const managed: RegistrationMode = { kind: 'managed' }
const fetching = (policy: RegistrationPolicy) => ({ mode: managed, policy, outboundFetches: true })

const policies = fc.record(
  {
    ceilings: ceilings(),
    allowed_redirect_hosts: fc.subarray(['rp.example', '*.example', 'localhost', 'com.example.app:']),
    required_members: fc.subarray(['client_name', 'contacts', 'jwks']),
    allowed_token_endpoint_auth_methods: fc.subarray(['none', 'client_secret_basic', 'private_key_jwt']),
    allowed_response_types: fc.subarray(['code', 'id_token', 'code id_token']),
    allowed_algorithms: fc.subarray(['RS256', 'ES256', 'none', 'A128CBC-HS256']),
    software_statements: fc.record({
      required: fc.constantFrom('never', 'open', 'always'),
      accept: fc.constantFrom('any', 'listed'),
    }),
  },
  { requiredKeys: ['ceilings'], noNullPrototype: true },
)

const scopeOfEntry = fc.option(fc.subarray(['openid', 'email', 'profile']), { nil: undefined })

it('without a policy no client falls that was registered', [clients], (client) =>
  assert.not.ok(violatesPolicy(judgeStoredClient(fetching(noPolicy))(client))),
)

it(
  'a client falls exactly if its own update with the same metadata would be refused',
  [
    registrationSettings(),
    policies,
    clients.filter(({ metadata }) => metadata.software_statement === undefined),
    scopeOfEntry,
    issued(),
  ],
  (set, lists, client, scope, now) => {
    const policy = { ...lists, clients: [{ client_id: client.client_id, scope }] }
    const settings = { ...set, ...fetching(policy), mode: set.mode }
    const updated = decideUpdate(settings)({
      credential: { kind: 'token', hash: client.registration_access_token.hash },
      found: O.some(client),
      body: E.right({ ...client.metadata }),
      statement: O.none,
      issued: now,
    })
    const judged = judgeStoredClient(settings)(client)
    assert.is(violatesPolicy(judged), E.isLeft(updated))
    if (E.isLeft(updated) && 'errors' in updated.left)
      assert.equal(new Set(judged.faults), new Set(updated.left.errors))
  },
)

it('beyond is nothing exactly if the ceiling permits what the client has', [policies, clients], (policy, client) => {
  const { exceeding } = judgeStoredClient(fetching(policy))(client)
  const ceiling = ceilingOf(managed, policy.ceilings, client.registered_by)
  assert.is(isNothing(exceeding), permits(ceiling)(requestedPrivileges(client.metadata)))
})

it('what the operator registered is under no ceiling', [policies, clients], (policy, client) =>
  assert.ok(isNothing(judgeStoredClient(fetching(policy))({ ...client, registered_by: 'master' }).exceeding)),
)

it('what is told of a client is judged as what is stored of it', [policies, clients], (policy, client) => {
  const reported = clientInformation('https://op.example/clients')(client)
  assert.equal(
    judgeStoredMetadata(fetching(policy))({ ...reported }, reported.client_secret?.length ?? 0, client.registered_by),
    judgeStoredClient(fetching(policy))(client).faults,
  )
})

it('any metadata whatever is judged', [policies, fc.object()], (policy, metadata) =>
  assert.ok(Array.isArray(judgeStoredMetadata(fetching(policy))(metadata, 0, 'master'))),
)

JudgeStoredClient('each fault tells where and which rule', () => {
  const policy = { ...noPolicy, required_members: ['software_version'] }
  const client = oneSample(clients)
  const { software_version, ...metadata } = { ...client.metadata }
  assert.ok(software_version === undefined || typeof software_version === 'string')
  assert.equal(
    judgeStoredMetadata(fetching(policy))(metadata, 43, 'master').map(({ pointer, rule }) => [pointer, rule]),
    [['/software_version', 'policy-required']],
  )
})

JudgeStoredClient('a stored statement counts as one that the policy asks for, and its software is judged', () => {
  const issuers = ['https://issuer.example']
  const software = [{ software_id: 'app', issuers, denied_versions: ['1'] }]
  const judge = judgeStoredMetadata(fetching({ ...noPolicy, software_statements: { required: 'open', software } }))
  const rulesOf = (metadata: object, registeredBy: RegisteredBy) =>
    judge({ redirect_uris: ['https://rp.example/'], ...metadata }, 43, registeredBy).map(({ rule }) => rule)
  const stored = { software_statement: 'e30.e30.AA', software_id: 'app' }
  assert.equal(rulesOf({ ...stored, software_version: '2' }, 'nobody'), [])
  assert.equal(rulesOf({ ...stored, software_version: '1' }, 'nobody'), ['policy-software-version'])
  assert.equal(rulesOf({}, 'nobody'), ['policy-statement'])
  assert.equal(rulesOf({}, 'token'), [])
})

JudgeStoredClient.run()
