// Complete services on a real database of PostgreSQL.
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post } from '../cli/run.js'
import { command, masterToken, passwordOf, withServices } from './postgresql-service.js'

const services = postgresqlSuite('services on PostgreSQL')

const metadata = { redirect_uris: ['https://rp.example/cb'] }

type Registered = { readonly client_id: string; readonly registration_access_token: string }

const registered = async (answer: Response): Promise<Registered> => {
  assert.is(answer.status, 200)
  return (await answer.json()) as Registered
}

const register = async ({ url }: Service, token = masterToken): Promise<Registered> =>
  registered(await post(`${url}/clients`, token, metadata))

const ask = (
  { url }: Service,
  { client_id, registration_access_token }: Registered,
  method = 'GET',
  body?: object,
): Promise<Response> =>
  fetch(`${url}/clients/${client_id}`, {
    method,
    headers: { Authorization: `Bearer ${registration_access_token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

services(
  'one registers, reads, updates and deletes a client, and is ready',
  withServices(1, async ([service]) => {
    assert.ok(service)
    const client = await register(service)
    assert.is((await ask(service, client)).status, 200)
    const update = { ...metadata, client_id: client.client_id, client_name: 'new' }
    const updated = await registered(await ask(service, client, 'PUT', update))
    const read = await ask(service, updated)
    assert.is((await ask(service, client)).status, 401)
    assert.is(((await read.json()) as { client_name: string }).client_name, 'new')
    assert.is((await fetch(`${service.url}/health/ready`)).status, 200)
    assert.is((await ask(service, updated, 'DELETE')).status, 204)
    assert.is((await ask(service, updated)).status, 401)
  }),
)

services(
  'text that the database cannot store names nothing',
  withServices(1, async ([service]) => {
    assert.ok(service)
    const answerTo = async (path: string, method = 'GET'): Promise<unknown> => {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${masterToken}` },
      })
      return answer.status === 200 ? answer.json() : answer.status
    }
    assert.equal(await answerTo('/sessions?sub=%00'), { sessions: [] })
    assert.equal(await answerTo('/sessions?sub=%ED%A0%80'), { sessions: [] })
    for (const path of ['/sessions', '/clients', '/initial-access-tokens'])
      assert.equal([path, await answerTo(`${path}/%00`, 'DELETE')], [path, 404])
  }),
)

services(
  'a link to the console is by the settings of the command, which it says',
  withServices(1, async ([service], url) => {
    assert.ok(service)
    const { output, errors } = await command(url, ['console', '--may', 'audit'], { console: 'true' })
    assert.ok(output.startsWith('http://127.0.0.1:8080/console/sign-in?link='), output)
    assert.match(errors, 'The address is by base-url and management-port of this command')
  }),
)

services(
  'what is registered at one is read, updated and deleted at another',
  withServices(2, async ([one, other]) => {
    assert.ok(one)
    assert.ok(other)
    const client = await register(one)
    assert.is((await ask(other, client)).status, 200)
    const update = { ...metadata, client_id: client.client_id }
    const updated = await registered(await ask(other, client, 'PUT', update))
    assert.is((await ask(other, updated)).status, 200)
    assert.is((await ask(one, client)).status, 401)
    assert.is((await ask(one, updated, 'DELETE')).status, 204)
    assert.is((await ask(other, updated)).status, 401)
  }),
)

services(
  'of two at once, one takes an initial access token',
  withServices(2, async ([one, other], url) => {
    assert.ok(one)
    assert.ok(other)
    for (let round = 0; round < 5; round += 1) {
      const token = (await command(url, ['token', 'issue', '--scope', 'client-reg'])).output.trim()
      const answers = await Promise.all([one, other].map((each) => post(`${each.url}/clients`, token, metadata)))
      assert.equal(answers.map(({ status }) => status).sort(), [200, 401])
    }
  }),
)

const kidsOf = async ({ url }: Service): Promise<ReadonlyArray<string>> => {
  const { keys } = (await (await fetch(`${url}/jwks.json`)).json()) as { keys: ReadonlyArray<{ kid: string }> }
  return keys.map(({ kid }) => kid).sort()
}

/** Fails unless both publish the same set, of which that holds, within five seconds. */
const soonBoth = async (
  services: ReadonlyArray<Service>,
  holds: (kids: ReadonlyArray<string>) => boolean,
): Promise<void> => {
  const deadline = Date.now() + 5_000
  for (;;) {
    const [kids = [], others = []] = await Promise.all(services.map(kidsOf))
    if (holds(kids) && kids.join() === others.join()) return
    if (Date.now() > deadline) assert.unreachable(`${kids.join()} and ${others.join()} after five seconds`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

services(
  'two that start at once have the same keys, and publish the roll-over of the other, and the change of a command',
  withServices(2, async ([one, other], url) => {
    assert.ok(one)
    assert.ok(other)
    await soonBoth([one, other], (kids) => kids.length > 0)
    const before = await kidsOf(one)
    assert.is((await post(`${one.url}/keys/roll-over`, masterToken, { alg: 'RS256' })).status, 200)
    await soonBoth([one, other], (kids) => kids.length === before.length + 1)
    const successor = (await kidsOf(other)).find((kid) => !before.includes(kid)) ?? 'none'
    const compromised = await command(url, ['keys', 'compromise', successor, '--yes'])
    assert.is(compromised.status, 0, compromised.errors)
    await soonBoth([one, other], (kids) => !kids.includes(successor))
    const exported = await command(url, ['keys', 'export', '--public'])
    const { keys } = JSON.parse(exported.output) as { keys: ReadonlyArray<{ kid: string }> }
    assert.equal(keys.map(({ kid }) => kid).sort(), await kidsOf(one))
  }),
)

services(
  'commands work on the database beside them, without a socket, and none of them shows the password',
  withServices(1, async ([service], url) => {
    assert.ok(service)
    const client = await register(service)
    const renewed = await command(url, ['clients', 'renew', client.client_id, '--json'])
    const issued = await command(url, ['token', 'issue', '--scope', 'client-reg'])
    await register(service, issued.output.trim())
    const ran = [
      renewed,
      issued,
      await command(url, ['keys', 'list']),
      await command(url, ['token', 'list']),
      await command(url, ['logouts', 'list']),
      await command(url, ['encryption-key', 'check']),
      await command(url, ['config', 'print']),
    ]
    for (const { status, output, errors } of ran) {
      assert.is(status, 0, errors)
      assert.not.match(output + errors, passwordOf(url))
    }
    assert.is((await ask(service, client)).status, 401)
    assert.is((await ask(service, { ...client, ...JSON.parse(renewed.output) })).status, 200)
  }),
)

services(
  'an identifier with U+0000, which text of PostgreSQL cannot have, is unknown',
  withServices(1, async ([service]) => {
    assert.ok(service)
    for (const path of ['/sessions/%00', '/sessions/a%00', '/initial-access-tokens/%00', '/clients/%00']) {
      const headers = { Authorization: `Bearer ${masterToken}` }
      const method = path.startsWith('/clients') ? 'GET' : 'DELETE'
      assert.is((await fetch(`${service.url}${path}`, { method, headers })).status, 404, path)
    }
  }),
)

services.run()
