import type { RegisteredClient } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicListener } from '../src/index.js'
import type { World } from './support/in-memory-ports.js'
import { createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { printedDuring } from './support/printed.js'
import { registered } from './support/registered.js'
import type { Wire } from './support/wire.js'
import { exchange, open, send, until, withServer } from './support/wire.js'

const streams = suite('a streamed list')

const serve = (world: World, use: (wire: Wire) => Promise<void>) =>
  withServer(createPublicListener(httpSettings(), world, { withOperators: false }), use)

const request = `GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${master}\r\n\r\n`

const aClient = async (): Promise<RegisteredClient> => {
  const world = createWorld()
  await registered(world)
  const [client] = [...world.clients.values()]
  assert.ok(client !== undefined)
  return client
}

const endless = async () => {
  const client = await aClient()
  const seen = { read: 0, ended: false }
  const world = createWorld({
    streamClients: async function* () {
      try {
        for (; ; seen.read += 1) yield E.right(client)
      } finally {
        seen.ended = true
      }
    },
  })
  return { seen, world }
}

// Until nothing more is read for a while, in five seconds at most.
const settled = async (seen: { readonly read: number }): Promise<boolean> => {
  for (let left = 25; left > 0; left -= 1) {
    const before = seen.read
    await pause(200)
    if (before > 0 && seen.read === before) return true
  }
  return false
}

streams('arrives whole, as one JSON array', async () => {
  const client = await aClient()
  const world = createWorld({
    streamClients: async function* () {
      for (let left = 2000; left > 0; left -= 1) yield E.right(client)
    },
  })
  await serve(world, async (wire) => {
    const { body, headers } = await send(wire, 'GET', '/clients', { token: master })
    const parsed: unknown = JSON.parse(body.toString())
    assert.ok(Array.isArray(parsed) && parsed.length === 2000)
    assert.is(headers['content-type'], 'application/json')
  })
})

streams('is read from the store no faster than the client takes it', async () => {
  const { seen, world } = await endless()
  await serve(world, async (wire) => {
    const socket = await open(wire)
    socket.pause()
    socket.write(request)
    assert.ok(await settled(seen), 'the store is read although nobody takes the answer')
    socket.destroy()
  })
})

streams('ends in the store when the client goes away, and that is no defect', async () => {
  const { seen, world } = await endless()
  await serve(world, async (wire) => {
    const socket = await open(wire)
    socket.write(request)
    await until(() => seen.read > 0)
    socket.destroy()
    await until(() => seen.ended)
    await until(() => world.entries.length === 1)
    assert.equal([world.entries[0]?.status, world.entries[0]?.detail], [200, undefined])
  })
})

const breakingAfter = (client: RegisteredClient, before: number): World =>
  createWorld({
    streamClients: async function* () {
      for (let left = before; left > 0; left -= 1) yield E.right(client)
      throw new Error('why-it-broke')
    },
  })

streams('that breaks is cut off, so that nobody takes it for whole; why is for the log alone', async () => {
  const client = await aClient()
  const readBroken = async (before: number): Promise<void> => {
    const world = breakingAfter(client, before)
    await serve(world, async (wire) => {
      const answer = await exchange(wire, request).catch(() => '')
      assert.not.ok(answer.endsWith('0\r\n\r\n'), 'the answer ends as if it were whole')
      assert.not.match(answer, /why-it-broke/)
      await until(() => world.entries.length === 1)
      assert.match(String(world.entries[0]?.detail), /why-it-broke/)
    })
  }
  const printed = await printedDuring(async () => {
    for (const before of [1, 1000]) await readBroken(before)
  })
  assert.equal(printed, [])
})

streams('asks the store for nothing when only the head is wanted', async () => {
  const { seen, world } = await endless()
  await serve(world, async (wire) => {
    assert.is((await send(wire, 'HEAD', '/clients', { token: master })).status, 200)
    await until(() => world.entries.length === 1)
  })
  assert.is(seen.read, 0)
})

streams.run()
