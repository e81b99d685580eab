// node bench/count.mjs: what the service does for one request or flow: rows looked up and written, commits, texts sealed and
// opened, digests, signatures, promises, and what is allocated. Requests come one after the other, so that each waits for
// its own commits; under load they share them.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stepsOf } from './flow-steps.mjs'
import { newFile } from './machine.mjs'
import { ask, json, metadata, register } from './requests.mjs'
import { checkout, ours, subjects, withEngine } from './servers.mjs'
import { signedInBrowsers } from './sign-in.mjs'
import { start } from './start.mjs'
import { confirmationOf } from './works/logout-confirmation.mjs'

const repetitions = 100
const preload = fileURLToPath(new URL('count-work.mjs', import.meta.url))
// No collection of garbage while a work is counted.
const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256', '--import', preload]
subjects[ours].prepare = () => ({
  command: [process.execPath, ...flags, join(checkout.root, 'packages/app/dist/main.js')],
})

const bearer = ({ registration_access_token }) => ({ authorization: `Bearer ${registration_access_token}` })

const registered = (server, count) =>
  Promise.all(Array.from({ length: count }, (_, number) => register(server, number)))

const get = (url, headers = {}) => ask(url, { headers }).then((answer) => answer.arrayBuffer())

/** Each prepares what its step needs; a step is called with the number of the repetition. */
const works = {
  'POST /clients': (server) => (number) => register(server, number),
  'GET /clients/{id}': async (server) => {
    const [client] = await registered(server, 1)
    return () => get(`${server.base}/clients/${client.client_id}`, bearer(client))
  },
  'PUT /clients/{id}': async (server) => {
    const [client] = await registered(server, 1)
    return (number) =>
      ask(`${server.base}/clients/${client.client_id}`, {
        method: 'PUT',
        headers: { ...json, ...bearer(client) },
        body: JSON.stringify({ ...metadata(number), client_id: client.client_id }),
      }).then((answer) => answer.arrayBuffer())
  },
  'DELETE /clients/{id}': async (server) => {
    const clients = await registered(server, 3 * repetitions)
    return () => {
      const client = clients.pop()
      return ask(`${server.base}/clients/${client.client_id}`, { method: 'DELETE', headers: bearer(client) })
    }
  },
  'GET /jwks.json': (server) => () => get(`${server.base}/jwks.json`),
  'GET /logout, the page': async (server) => {
    const { base, path, headers } = await confirmationOf(server)
    return () => get(base + path, headers)
  },
  'authorization code and token': async (server) => {
    const { cookies, ...settings } = await signedInBrowsers(server, await register(server), 1)
    return stepsOf(settings).code(cookies[0])
  },
  'refresh token': async (server) => {
    const { cookies, ...settings } = await signedInBrowsers(server, await register(server), 1)
    return stepsOf(settings).refresh(cookies[0])
  },
}

const countsAfter = async ({ pid }, file, run) => {
  process.kill(pid, 'SIGUSR2')
  await pause(100)
  await run()
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await pause(20)
  const counts = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return counts
}

const counted = async (isWithPromises) => {
  const file = `${newFile('')}.counts`
  const env = { ...withEngine, COUNTS: file, PROMISES: String(isWithPromises) }
  const server = await start(ours, { env: { ...env, CLIENTELE_ROTATE_REGISTRATION_ACCESS_TOKEN_ON_UPDATE: 'false' } })
  const found = {}
  try {
    for (const [name, prepare] of Object.entries(works)) {
      const step = await prepare(server)
      const repeat = async () => {
        for (let number = 0; number < repetitions; number += 1) await step(number)
      }
      await repeat()
      found[name] = await countsAfter(server, file, repeat)
    }
  } finally {
    await server.stop()
  }
  return found
}

const columns = ['looked up', 'written', 'commits', 'sealed', 'opened', 'digests', 'signatures', 'verifications']
const each = (number = 0) => String(Math.round((10 * number) / repetitions) / 10)

const withPromises = await counted(true)
const withoutPromises = await counted(false)
const rows = Object.entries(withPromises).map(([name, counts]) => {
  const { octets, collections } = withoutPromises[name]
  const allocated = collections === undefined ? String(Math.round(octets / repetitions / 1024)) : 'collected meanwhile'
  return [name, ...columns.map((column) => each(counts[column])), Math.round(counts.promises / repetitions), allocated]
})
const head = ['for one', ...columns, 'promises', 'KiB allocated']
for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
