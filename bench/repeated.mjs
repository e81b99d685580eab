// node bench/repeated.mjs COUNT: COUNT open registrations by ten public clients in turn, with and without
// reuse_unused_registrations of the registration policy. Prints the clients that are stored, and fails if they are other.
import { rmSync } from 'node:fs'
import { newFolder } from './machine.mjs'
import { ask, json, metadata } from './requests.mjs'
import { masterToken, ours } from './servers.mjs'
import { start } from './start.mjs'

const count = Number(process.argv[2] ?? 10_000)
const applications = 10
const together = 16

const bodies = Array.from({ length: applications }, (_, number) =>
  JSON.stringify({ ...metadata(number), token_endpoint_auth_method: 'none' }),
)

const registerAll = async ({ base, endpoint }) => {
  for (let from = 0; from < count; from += together) {
    const numbers = Array.from({ length: Math.min(together, count - from) }, (_, index) => from + index)
    const registrations = numbers.map(async (number) => {
      const body = bodies[number % applications]
      await (await ask(base + endpoint, { method: 'POST', headers: json, body })).arrayBuffer()
    })
    await Promise.all(registrations)
  }
}

for (const reuses of [true, false]) {
  const folder = newFolder()
  const policy = JSON.stringify({ reuse_unused_registrations: reuses })
  const server = await start(ours, { folder, env: { CLIENTELE_REGISTRATION_POLICY_JSON: policy } })
  const began = performance.now()
  await registerAll(server)
  const seconds = (performance.now() - began) / 1000
  const clients = await (await ask(`${server.base}/clients`, { headers: masterToken(server) })).json()
  await server.stop()
  rmSync(folder, { recursive: true })
  const rate = Math.round(count / seconds)
  console.log(`reuse ${reuses}: ${count} registrations, ${clients.length} clients, ${rate} a second`)
  if (clients.length !== (reuses ? applications : count)) throw new Error('another number of clients')
}
