import { fingerprintOf } from '@clientele/domain/authorization'
import * as assert from 'uvu/assert'
import { redirect_uris } from './support/http-request.js'
import { type World, createWorld, hashToken, httpSettings, master } from './support/in-memory-ports.js'
import { registered } from './support/registered.js'
import { printedDuring } from './support/printed.js'
import { type Shell, suiteOnShells } from './support/shells.js'
import { type Wire, open, send, until, withServer } from './support/wire.js'

const log = suiteOnShells('log entries')

const serve = (shell: Shell, world: World, use: (wire: Wire) => Promise<void>) =>
  withServer(shell.createPublicListener(httpSettings(), world, { withOperators: true }), use)

log('one request is one entry, with the pattern of the route and the id that the answer carries', async (shell) => {
  const world = createWorld()
  await serve(shell, world, async (wire) => {
    const { headers } = await send(wire, 'DELETE', '/clients/some-id?x=y', { token: master })
    await until(() => world.entries.length === 1)
    const [{ duration_ms, ...entry } = { duration_ms: -1 }] = world.entries
    assert.ok(duration_ms >= 0)
    const expected = {
      request_id: 'request-1',
      method: 'DELETE',
      route: '/clients/:id',
      status: 404,
      error: 'unknown_client',
      remote_address: '127.0.0.1',
      actor: { kind: 'master', fingerprint: fingerprintOf(hashToken(master)) },
    }
    assert.equal(entry, expected)
    assert.is(headers['x-request-id'], 'request-1')
  })
})

log('no token, query, body or unknown path is ever in an entry', async (shell) => {
  const world = createWorld()
  await serve(shell, world, async (wire) => {
    await send(wire, 'POST', '/clients?access_token=hidden-query', {
      token: 'hidden-token',
      json: { a: 'hidden-body' },
    })
    await send(wire, 'GET', '/hidden-path', { headers: { 'x-hidden': 'hidden-header' } })
    await send(wire, 'GET', '/clients/hidden-id', { token: master })
    await send(wire, 'POST', '/clients/hidden-id', { token: master })
    await until(() => world.entries.length === 4)
    assert.not.match(JSON.stringify(world.entries), new RegExp(`hidden|${master}`))
  })
})

log('a refusal is told by its code, the rules and the client, and by nothing that was sent', async (shell) => {
  const world = createWorld()
  const { id } = await registered(world)
  await serve(shell, world, async (wire) => {
    const broken = { redirect_uris: ['hidden:uri', 'https://hidden.example/#hidden'], client_uri: 'hidden' }
    await send(wire, 'POST', '/clients', { token: master, json: broken })
    await send(wire, 'PUT', `/clients/${id}`, { token: master, json: broken })
    await send(wire, 'PUT', `/clients/${id}`, { token: 'hidden-token', json: broken })
    await send(wire, 'PUT', '/clients/hidden-id', { token: master, json: broken })
    await send(wire, 'POST', '/clients', { json: { redirect_uris } })
    await send(wire, 'POST', '/clients', {
      token: master,
      body: '{hidden',
      headers: { 'content-type': 'application/json' },
    })
    await until(() => world.entries.length === 6)
    const reported = world.entries.map(({ status, error, client_id }) => [status, error, client_id])
    assert.equal(reported, [
      [400, 'invalid_redirect_uri', undefined],
      [400, 'invalid_redirect_uri', id],
      [401, 'invalid_token', undefined],
      [404, 'unknown_client', undefined],
      [401, 'missing_token', undefined],
      [400, 'invalid_request', undefined],
    ])
    const [first] = world.entries
    assert.ok((first?.rules?.length ?? 0) >= 2, String(first?.rules))
    assert.not.match(JSON.stringify(world.entries), 'hidden')
  })
})

log('a defect is an empty 500 that is not stored; why is in the entry alone, and nothing is printed', async (shell) => {
  const defects: ReadonlyArray<World['service']['findClient']> = [
    () => {
      throw new Error('why-thrown')
    },
    () => () => Promise.reject(new Error('why-rejected')),
  ]
  const refuse = async (findClient: World['service']['findClient']): Promise<void> => {
    const world = createWorld({ findClient })
    await serve(shell, world, async (wire) => {
      const answer = await send(wire, 'GET', '/clients/some-id', { token: master })
      assert.equal([answer.status, answer.body.length, answer.headers['cache-control']], [500, 0, 'no-store'])
      assert.not.match(JSON.stringify(answer.headers), /why/)
      await until(() => world.entries.length === 1)
      assert.match(String(world.entries[0]?.detail), /why-(thrown|rejected)/)
    })
  }
  const printed = await printedDuring(async () => {
    for (const findClient of defects) await refuse(findClient)
  })
  assert.equal(printed, [])
})

log('an answer that cannot be sent is a defect, with nothing of that answer', async (shell) => {
  const documents = [{ path: '/page', headers: { 'Content-Type': 'text/html', 'X-Broken': 'one\ntwo' }, text: 'page' }]
  const world = createWorld()
  const listener = shell.createPublicListener(httpSettings({ documents }), world, { withOperators: false })
  await withServer(listener, async (wire) => {
    const { status, headers, body } = await send(wire, 'GET', '/page')
    assert.equal([status, body.length, headers['content-type'], headers['etag']], [500, 0, undefined, undefined])
    assert.equal([headers['cache-control'], headers['x-request-id']], ['no-store', 'request-1'])
    await until(() => world.entries.length === 1)
    const [{ status: logged, error, detail } = { status: 0 }] = world.entries
    assert.equal([logged, error, detail instanceof Error], [500, 'defect', true])
  })
})

log('a client that goes away while it sends its body is no defect, and is told with its address', async (shell) => {
  const world = createWorld()
  const head =
    'POST /clients HTTP/1.1\r\nHost: x\r\n' + `Authorization: Bearer ${master}\r\nContent-Type: application/json\r\n`
  await serve(shell, world, async (wire) => {
    for (const framing of ['Content-Length: 100\r\n\r\n{"a"', 'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n'])
      for (const leave of ['resetAndDestroy', 'destroy'] as const) {
        const before = world.entries.length
        const socket = await open(wire)
        const arrived = new Promise((resolve) => wire.server.once('request', resolve))
        socket.write(head + framing)
        await arrived
        socket[leave]()
        await until(() => world.entries.length === before + 1)
        const { status, detail, remote_address } = world.entries.at(-1) ?? {}
        assert.equal([status, detail, remote_address], [400, undefined, '127.0.0.1'])
      }
    assert.is((await send(wire, 'POST', '/clients', { token: master, json: { redirect_uris } })).status, 200)
  })
  assert.is(world.store.clients.size, 1)
})

log.run()
