// Load on one route: by wrk if installed, otherwise by autocannon. Any unsuccessful response fails the run.
import { readFileSync } from 'node:fs'
import { hasWrk } from './machine.mjs'
import { ask } from './requests.mjs'
import { runAutocannon } from './load/autocannon.mjs'
import { runWrk } from './load/wrk.mjs'

/**
 * Clients of a file, one on each line: client_id and registration access token. Those of order 'once' serve one request
 * each.
 */
export const clientsOf = (file, order) => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return { file, order, count: lines.length, at: (index) => lines[index].split(' '), used: 0 }
}

const filled = (text, client) => text?.replace(/\{(client_id|token|number)\}/g, (_, name) => client[name])

/** The request with the values of the next client in place of the names in braces: client_id, token and number. */
export const filledFor = ({ path, headers, body, clients }, index) => {
  const [client_id, token] = clients.at(index)
  const client = { client_id, token, number: index }
  const entries = Object.entries(headers).map(([name, value]) => [name, filled(value, client)])
  return { path: filled(path, client), headers: Object.fromEntries(entries), body: filled(body, client) }
}

// The load generators report errors and broken connections, but not redirections: so one request is checked first.
const askFirst = async (request) => {
  const { base, method, clients } = request
  if (clients !== undefined && clients.used >= clients.count) throw new Error(`${clients.count} clients are too few`)
  const { path, headers, body } = clients === undefined ? request : filledFor(request, clients.used)
  await (await ask(base + path, { method, headers, body })).arrayBuffer()
}

const useUp = (clients, requests) => {
  if (clients?.order !== 'once') return
  clients.used += requests
  if (clients.used >= clients.count) throw new Error(`${clients.count} clients are too few for one request each`)
}

/**
 * Sends `{ base, path, method, headers, body, clients }` over `connections` for `seconds`; each sends again after a
 * response.
 */
export const load = async (options) => {
  const request = { method: 'GET', headers: {}, ...options }
  await askFirst(request)
  useUp(request.clients, 1)
  const { requests, faults, ...figures } = await (hasWrk ? runWrk : runAutocannon)(request)
  // A few more requests may have been sent without a response in time.
  useUp(request.clients, requests + 2 * request.connections)
  const reported = Object.entries(faults).filter(([, count]) => count > 0)
  if (reported.length > 0)
    throw new Error(
      `${request.method} ${request.path}: ${reported.map(([name, count]) => `${count} ${name}`).join(', ')}`,
    )
  if (requests === 0) throw new Error(`${request.method} ${request.path}: nothing was answered`)
  return figures
}
