import * as E from 'fp-ts/lib/Either.js'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type World, createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { type Shell, suiteOnShells } from './support/shells.js'
import { aClient, breakingAfter, endless } from './support/streamed.js'
import { type Wire, exchange, open, send, until, withServer } from './support/wire.js'

const streams = suiteOnShells('a streamed list')

const serve = (shell: Shell, world: World, use: (wire: Wire) => Promise<void>) =>
  withServer(shell.createPublicListener(httpSettings(), world, { withOperators: false }), use)

const request = `GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${master}\r\n\r\n`

// Waits until nothing is read for a while, five seconds at most.
const settled = async (seen: { readonly read: number }): Promise<boolean> => {
  for (let left = 25; left > 0; left -= 1) {
    const before = seen.read
    await pause(200)
    if (before > 0 && seen.read === before) return true
  }
  return false
}

streams('arrives whole, as one JSON array', async (shell) => {
  const client = await aClient()
  const world = createWorld({
    streamClients: async function* () {
      for (let left = 2000; left > 0; left -= 1) yield E.right(client)
    },
  })
  await serve(shell, world, async (wire) => {
    const { body, headers } = await send(wire, 'GET', '/clients', { token: master })
    const parsed: unknown = JSON.parse(body.toString())
    assert.ok(Array.isArray(parsed) && parsed.length === 2000)
    assert.is(headers['content-type'], 'application/json')
    await until(() => world.entries.length === 1)
  })
})

streams('is read from the store no faster than the client takes it', async (shell) => {
  const { seen, world } = await endless()
  await serve(shell, world, async (wire) => {
    const socket = await open(wire)
    socket.pause()
    socket.write(request)
    assert.ok(await settled(seen), 'the store is read although nobody takes the answer')
    socket.destroy()
  })
})

streams('ends in the store when the client goes away, and that is no defect', async (shell) => {
  const { seen, world } = await endless()
  await serve(shell, world, async (wire) => {
    const socket = await open(wire)
    socket.write(request)
    await until(() => seen.read > 0)
    socket.destroy()
    await until(() => seen.ended)
    await until(() => world.entries.length === 1)
    assert.equal([world.entries[0]?.status, world.entries[0]?.detail], [200, undefined])
  })
})

streams('that breaks never passes for whole; why is for the log alone', async (shell) => {
  const client = await aClient()
  for (const before of [1, 1000]) {
    const world = breakingAfter(client, before)
    await serve(shell, world, async (wire) => {
      const answer = await exchange(wire, request).catch(() => '')
      // A bridge that delays the first chunk can still send 500.
      assert.ok(
        !answer.endsWith('0\r\n\r\n') || answer.startsWith('HTTP/1.1 500'),
        'the answer ends as if it were whole',
      )
      assert.not.match(answer, /why-it-broke/)
      await until(() => world.entries.length === 1)
      assert.match(String(world.entries[0]?.detail), /why-it-broke/)
    })
  }
})

streams('asks the store for nothing when only the head is wanted, and leaves it', async (shell) => {
  const { seen, world } = await endless()
  await serve(shell, world, async (wire) => {
    assert.is((await send(wire, 'HEAD', '/clients', { token: master })).status, 200)
    await until(() => world.entries.length === 1)
    await until(() => seen.ended)
  })
  assert.is(seen.read, 0)
})

streams.run()
