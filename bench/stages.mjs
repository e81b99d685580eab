// The stages of works: servers that are started and filled once, then measured in alternation.
import { newFile, newFolder, runLoad } from './machine.mjs'
import { clientsOf } from './load.mjs'
import { register } from './requests.mjs'
import { checkout, glewlwyd, iterate, limit, ours, peer, peerInMemory, withEngine } from './servers.mjs'
import { start } from './start.mjs'
import { openInstances } from './postgresql.mjs'
import { hasGlewlwyd } from './subjects/glewlwyd.mjs'
import { join } from 'node:path'

const together = 50

/** The maximum number of removals that any server answers in a second. */
export const maxRemovals = 15_000

/** A data directory of this service with so many clients, and the file of every so many of them. */
export const filledFolder = async (count, every = 1) => {
  const folder = newFolder()
  const file = newFile('')
  console.error(`  ${count.toLocaleString('en')} clients are registered`)
  await runLoad([process.execPath, join(checkout.root, 'bench/fill.mjs'), folder, String(count), file, String(every)])
  return { folder, file }
}

const fillByHttp = async (server, count) => {
  console.error(`  ${count.toLocaleString('en')} clients are registered: ${server.name}`)
  const lines = []
  for (let done = 0; done < count; done += together) {
    const numbers = Array.from({ length: together }, (_, index) => done + index)
    const clients = await Promise.all(numbers.map((number) => register(server, number)))
    lines.push(...clients.map((client) => `${client.client_id} ${client.registration_access_token}\n`))
  }
  return newFile(lines.join(''))
}

const filledServer = (count) => async (name) => {
  if (name !== ours) {
    const server = await start(name)
    try {
      return { ...server, clients: clientsOf(await fillByHttp(server, count), 'random') }
    } catch (error) {
      await server.stop()
      throw error
    }
  }
  const { folder, file } = await filledFolder(count)
  return { ...(await start(name, { folder })), clients: clientsOf(file, 'random') }
}

const serialize = async (names, open) => {
  const servers = {}
  // One that does not start omits its own figures only.
  for (const name of names) servers[name] = await open(name).catch((failure) => ({ failure, stop: () => undefined }))
  return servers
}

const all = [ours, limit, peer, peerInMemory]
// The bench must run on machines without this tool.
const optional = async () => {
  if (!hasGlewlwyd) return {}
  const server = await start(glewlwyd).catch((error) => console.error(`  without Glewlwyd: ${error.message}`))
  return server === undefined ? {} : { [glewlwyd]: server }
}

// The management port reports the delay of the event loop.
const withMetrics = { CLIENTELE_MANAGEMENT_PORT: '0' }
const withoutTokenRotation = { CLIENTELE_ROTATE_REGISTRATION_ACCESS_TOKEN_ON_UPDATE: 'false' }

// Some of the clients are updated repeatedly, and each of the others is removed once.
const changing = async ({ removals }) => {
  const updated = 10_000
  const { folder, file } = await filledFolder(updated + removals)
  const registered = clientsOf(file, 'next')
  const lineOf = (index) => registered.at(index).join(' ')
  const part = (from, length) => newFile(Array.from({ length }, (_, index) => lineOf(from + index)).join('\n'))
  return {
    servers: { [ours]: await start(ours, { folder, env: withoutTokenRotation }) },
    updated: clientsOf(part(0, updated), 'next'),
    removed: clientsOf(part(updated, removals), 'once'),
  }
}

const listed = async (count) => {
  const { folder, file } = await filledFolder(count, Math.ceil(count / 250_000))
  const servers = await serialize([ours, iterate], (name) => start(name, { folder }))
  return { servers, count, clients: clientsOf(file, 'random') }
}

const million = async () => {
  const { servers, ...many } = await listed(1_000_000)
  return { servers: { ...servers, few: await filledServer(10_000)(ours) }, ...many }
}

const signedIn = async (names) => ({ servers: await serialize(names, (name) => start(name, { env: withEngine })) })

const empty = async (names) => ({ servers: await serialize(names, (name) => start(name, { env: withMetrics })) })
const stored = async (names) => ({ servers: await serialize(names, filledServer(10_000)) })

/** Stages of this service alone, for comparison with an earlier one. */
export const ownStages = {
  empty: () => empty([ours]),
  stored: () => stored([ours]),
  signedIn: () => signedIn([ours]),
  changing,
  startable: async () => ({ servers: {}, ...(await filledFolder(100_000)) }),
  listed: () => listed(10_000),
}

/** Each opens with the limits of the run. */
export const stages = {
  empty: () => empty(all),
  stored: async () => {
    const { servers } = await stored(all)
    return { servers: { ...servers, ...(await optional()) } }
  },
  signedIn: () => signedIn([ours, peer]),
  changing,
  listed: ownStages.listed,
  startable: ownStages.startable,
  instances: () => openInstances(async (server) => clientsOf(await fillByHttp(server, 10_000), 'random')),
  million,
}

export const close = async ({ servers, close: closeOthers }) => {
  for (const server of Object.values(servers)) await server.stop()
  await closeOthers?.()
}
