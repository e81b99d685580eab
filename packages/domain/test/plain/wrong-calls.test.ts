import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Client,
  checkClientMetadata,
  checkPolicy,
  decideRegistration,
  decideUpdate,
} from '../../src/plain/index.js'
import { completePolicy } from '../policy/policies.js'

// What is the fault of the caller is told as such, and not as one of the client.
const Wrong = suite('a wrong call of the plain functions')

const body = { redirect_uris: ['https://rp.example/callback'] }
const issued = { client_id: 'my-client', client_secret: 's3cret-'.repeat(6), at: 1_893_456_000 }

type Answer = ReturnType<typeof checkPolicy>

const isTold = (answer: Answer, member: string, text: string | RegExp, pointer?: string): void => {
  const [fault, ...others] = answer.ok ? [] : answer.faults
  assert.ok(fault !== undefined, 'it is refused')
  assert.equal(others, [])
  assert.equal([fault.code, fault.member, fault.pointer], ['server_error', member, pointer])
  assert.match(fault.text, text)
  assert.not.match(fault.text, 's3cret')
}

Wrong('a policy with a fault, whoever is given it', () => {
  const policy = { allowed_redirect_hosts: ['RP.example'] }
  const text = 'policy/allowed_redirect_hosts/0 must be a host in lower case'
  isTold(checkPolicy(policy), 'policy', text, '/allowed_redirect_hosts/0')
  isTold(checkClientMetadata(body, { policy }), 'policy', text, '/allowed_redirect_hosts/0')
  isTold(decideRegistration({ body, issued }, { policy }), 'policy', text, '/allowed_redirect_hosts/0')
  isTold(checkPolicy('none'), 'policy', 'policy must be a JSON object', '')
  assert.equal(checkPolicy({}), { ok: true })
})

Wrong('a part of a policy that these functions cannot enforce', () => {
  const { clients, signed_bodies, metadata_documents, ...others } = completePolicy
  const { maximum_clients, maximum_unused_open_clients, reuse_unused_registrations, ...enforced } = others
  const parts = { clients, signed_bodies, metadata_documents, maximum_clients, maximum_unused_open_clients }
  for (const [name, part] of Object.entries({ ...parts, reuse_unused_registrations })) {
    const policy = { ...enforced, [name]: part }
    isTold(checkPolicy(policy), 'policy', `policy/${name} is not enforced here: leave it out, and`, `/${name}`)
    isTold(checkClientMetadata(body, { policy }), 'policy', `policy/${name} is not enforced`, `/${name}`)
  }
  assert.equal(checkPolicy(enforced), { ok: true })
  const both = checkPolicy({ maximum_clients, clients })
  assert.is(both.ok ? 0 : both.faults.length, 2)
})

Wrong('a lifetime that is no number of seconds', () => {
  for (const clientSecretLifetime of [-1, 0.5, NaN, Infinity, 1e12])
    isTold(checkClientMetadata(body, { clientSecretLifetime }), 'clientSecretLifetime', 'a whole number of seconds')
})

Wrong('scope values of open registration that are no text', () => {
  for (const openRegistrationScopes of ['', 'two  blanks', ['openid'], 5, null])
    isTold(
      decideRegistration({ body, issued }, { openRegistrationScopes } as never),
      'openRegistrationScopes',
      'openRegistrationScopes must be scope values separated by one space',
    )
  for (const given of [{}, { allowOpenRegistration: false }])
    isTold(
      decideRegistration({ body, issued }, { ...given, openRegistrationScopes: 'openid' }),
      'openRegistrationScopes',
      'openRegistrationScopes must be scope values separated by one space, with allowOpenRegistration',
    )
})

Wrong('settings and requests that are no objects', () => {
  isTold(checkClientMetadata(body, 'lenient' as never), 'settings', 'settings must be an object')
  isTold(decideRegistration('{}' as never), 'request', 'request must be an object with body, issued, granted')
})

Wrong('a member that is unknown, which would count for nothing', () => {
  const policy = {}
  const known = 'policy, allowOpenRegistration'
  isTold(
    checkClientMetadata(body, { polcy: policy } as never),
    'polcy',
    new RegExp(`^polcy is unknown in settings: .* ${known}`),
  )
  isTold(decideRegistration({ body, issued }, { polcy: policy } as never), 'polcy', 'polcy is unknown in settings')
  const request = { body, issued, scope: 'client-reg' } as never
  isTold(decideRegistration(request), 'scope', /^scope is unknown in request: .* body, issued, granted$/)
  const update = { ...decided(), body, issued, granted: 'client-reg' } as never
  isTold(decideUpdate(update), 'ok', /^ok is unknown in request: .* body, issued, client, registered$/)
})

Wrong('what is issued for a registration', () => {
  const wrong = [
    { ...issued, client_id: 'constructor' },
    { ...issued, client_id: 'of two words' },
    { ...issued, client_id: 'https://rp.example/client.json' },
    { ...issued, client_secret: 's3cret-' },
    { ...issued, client_secret: `${issued.client_secret}\n` },
    { ...issued, at: 1.5 },
    { ...issued, at: -1 },
    { ...issued, at: issued.at * 1000 },
  ]
  for (const each of wrong)
    isTold(decideRegistration({ body, issued: each }), 'issued', /^issued must have a client_secret .* in seconds/)
})

Wrong('a scope of registration that is unknown', () => {
  isTold(decideRegistration({ body, issued, granted: 'openid' }), 'granted', 'granted must be a scope of registration')
})

const decided = () => {
  const answer = decideRegistration({ body, issued }, { allowOpenRegistration: true })
  assert.ok(answer.ok)
  return answer
}

Wrong('a client that is not as it was stored', () => {
  const { client, registered } = decided()
  const wrong = [
    { ...client, client_id_issued_at: '2030-01-01' },
    { ...client, client_secret: 5 },
    { ...client, client_secret_expires_at: 'never' },
    { ...client, approval: 'pending' },
    { ...client, client_id: 'of two words' },
    'my-client',
  ]
  for (const each of wrong)
    isTold(
      decideUpdate({ client: each as Client, registered, body, issued }),
      'client',
      'client must be a client as it was decided',
    )
})

Wrong('privileges that no decision made', () => {
  const { client, registered } = decided()
  const { privileges } = registered
  const wrong: ReadonlyArray<unknown> = [
    undefined,
    'client-reg',
    { ...registered, by: 'master' },
    { ...registered, privileges: 'client-reg' },
    { ...registered, privileges: { ...privileges, data: 'true' } },
    { ...registered, privileges: { ...privileges, scope: 'all' } },
  ]
  for (const each of wrong)
    isTold(
      decideUpdate({ client, registered: each as never, body, issued }),
      'registered',
      'registered must be what was',
    )
})

Wrong('a client that its document describes is not updated', () => {
  const { client: stored, registered } = decided()
  const client = { ...stored, client_id: 'https://rp.example/client.json' }
  const updated = decideUpdate({ client, registered, body, issued })
  assert.is(updated.ok ? undefined : updated.faults[0].code, 'invalid_request')
})

Wrong('a stored secret without an end has none, and stays', () => {
  const { client: stored, registered } = decided()
  const { client_secret_expires_at, ...client } = stored
  assert.is(client_secret_expires_at, 0)
  const updated = decideUpdate({ client, registered, body: { ...body, client_name: 'Shop' }, issued })
  assert.ok(updated.ok)
  assert.equal(updated.client, { ...stored, client_name: 'Shop' })
})

Wrong.run()
