import { fingerprintOf } from '@clientele/domain/authorization'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ListenerPorts } from '../../src/index.js'
import type { HttpLogEntry } from '../../src/ports.js'
import { redirect_uris } from '../support/http-request.js'
import { type World, createWorld, hashToken, httpSettings, master } from '../support/in-memory-ports.js'
import { type Shell, suiteOnShells } from '../support/shells.js'
import { type Wire, send, until, withServer } from '../support/wire.js'

const Registered = t.type({ client_id: t.string, registration_access_token: t.string })
const Token = t.type({ access_token: t.string })

const members = suiteOnShells('members of log entries')

const answered = async (wire: Wire, world: World, ...request: readonly [string, string, object?]) => {
  const before = world.entries.length
  const [method, path, options] = request
  const { body } = await send(wire, method, path, options)
  await until(() => world.entries.length > before)
  const entry: HttpLogEntry | undefined = world.entries.at(-1)
  const json: unknown = body.length === 0 ? undefined : JSON.parse(body.toString())
  return { entry, json }
}

const decoded = <A>(type: t.Type<A>, json: unknown): A => {
  if (type.is(json)) return json
  throw new Error(`not what the test expects: ${JSON.stringify(json)}`)
}

const serve = async (shell: Shell, use: (wire: Wire, world: World) => Promise<void>): Promise<void> => {
  const world = createWorld()
  await withServer(shell.createPublicListener(httpSettings(), world, { withOperators: true }), (wire) =>
    use(wire, world),
  )
}

const fingerprint = (token: string): string => fingerprintOf(hashToken(token))

members('a registration names the new client, and who registered it', async (shell) => {
  await serve(shell, async (wire, world) => {
    const issued = await answered(wire, world, 'POST', '/direct-authz', {
      token: master,
      json: { scope: 'client-reg' },
    })
    const { access_token } = decoded(Token, issued.json)
    assert.equal(issued.entry?.actor, { kind: 'master', fingerprint: fingerprint(master) })
    const { entry, json } = await answered(wire, world, 'POST', '/clients', {
      token: access_token,
      json: { redirect_uris },
    })
    const { client_id, registration_access_token: own } = decoded(Registered, json)
    assert.is(entry?.client_id, client_id)
    assert.equal(entry?.actor, { kind: 'initial_access_token', fingerprint: fingerprint(access_token) })
    for (const method of ['GET', 'DELETE']) {
      const later = await answered(wire, world, method, `/clients/${client_id}`, { token: own })
      assert.is(later.entry?.client_id, client_id)
      assert.equal(later.entry?.actor, { kind: 'registration_access_token', fingerprint: fingerprint(own) })
    }
  })
})

members('an operator token is told from the tokens of clients', async (shell) => {
  await serve(shell, async (wire, world) => {
    const issued = await answered(wire, world, 'POST', '/operator-tokens', {
      token: master,
      json: { scope: 'clients:write clients:read' },
    })
    const { access_token: token } = decoded(Token, issued.json)
    const actor = { kind: 'operator_token', fingerprint: fingerprint(token) }
    const made = await answered(wire, world, 'POST', '/clients', { token, json: { redirect_uris } })
    const { client_id } = decoded(Registered, made.json)
    assert.equal([made.entry?.client_id, made.entry?.actor], [client_id, actor])
    const suspended = await answered(wire, world, 'POST', `/clients/${client_id}/suspension`, { token, json: {} })
    assert.equal([suspended.entry?.client_id, suspended.entry?.actor], [client_id, actor])
    const listed = await answered(wire, world, 'GET', '/keys', { token })
    assert.equal([listed.entry?.error, listed.entry?.actor?.kind], ['insufficient_scope', 'operator_token'])
  })
})

members('a token that is not accepted is a token, and a request without one has no actor', async (shell) => {
  await serve(shell, async (wire, world) => {
    const unknown = await answered(wire, world, 'POST', '/clients', { token: 'unknown', json: { redirect_uris } })
    assert.equal(unknown.entry?.actor, { kind: 'token', fingerprint: fingerprint('unknown') })
    const without = await answered(wire, world, 'POST', '/clients', { json: { redirect_uris } })
    assert.equal([without.entry?.error, without.entry?.actor], ['missing_token', undefined])
    assert.is((await answered(wire, world, 'GET', '/jwks.json')).entry?.actor, undefined)
  })
})

members('the places of faults are told, as far as the standards name them', async (shell) => {
  await serve(shell, async (wire, world) => {
    const json = {
      redirect_uris: ['https://app.example/', 'https://app.example/#fragment'],
      'client_uri#hidden-tag': 'hidden',
      jwks: { keys: [{ hidden: 1 }], hidden: {} },
    }
    const { entry } = await answered(wire, world, 'POST', '/clients', { token: master, json })
    assert.ok(entry?.pointers?.includes('/redirect_uris/1'), String(entry?.pointers))
    assert.not.match(JSON.stringify(entry), 'hidden')
  })
})

members('the trace of a request is in its entry, and is there while it is answered', async (shell) => {
  const world = createWorld()
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 }
  const seen: string[] = []
  const ended: HttpLogEntry[] = []
  const ports: ListenerPorts = {
    ...world,
    trace: (_, method) => ({
      context,
      run: (work) => {
        seen.push(method)
        return work()
      },
      end: (entry) => void ended.push(entry),
    }),
  }
  await withServer(shell.createPublicListener(httpSettings(), ports, { withOperators: true }), async (wire) => {
    const { entry } = await answered(wire, world, 'GET', '/jwks.json')
    assert.equal([entry?.trace_id, entry?.span_id], [context.traceId, context.spanId])
    await until(() => ended.length === 1)
    assert.equal([seen, ended], [['GET'], world.entries])
  })
})

members.run()
