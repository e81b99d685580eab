// Load on one route: by wrk where it is installed, otherwise by autocannon. Any answer that is no success fails the run.
import { readFileSync } from 'node:fs'
import { hasWrk } from './machine.mjs'
import { ask } from './requests.mjs'
import { runAutocannon } from './load/autocannon.mjs'
import { runWrk } from './load/wrk.mjs'

/** Clients in a file, a line each: client_id and registration access token. Those of order 'once' serve one request each. */
export const clientsOf = (file, order) => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return { file, order, count: lines.length, at: (index) => lines[index].split(' '), used: 0 }
}

const filled = (text, client) => text?.replace(/\{(client_id|token|number)\}/g, (_, name) => client[name])

/** What stands in braces is filled in for each request: client_id, token and number of the next client. */
export const filledFor = ({ path, headers, body, clients }, index) => {
  const [client_id, token] = clients.at(index)
  const client = { client_id, token, number: index }
  const entries = Object.entries(headers).map(([name, value]) => [name, filled(value, client)])
  return { path: filled(path, client), headers: Object.fromEntries(entries), body: filled(body, client) }
}

// The load generators tell refusals and broken connections, but not a redirection: so one request is looked at first.
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

/** `connections` ask `{ base, path, method, headers, body, clients }` for `seconds`, each as soon as it was answered. */
export const load = async (options) => {
  const request = { method: 'GET', headers: {}, ...options }
  await askFirst(request)
  useUp(request.clients, 1)
  const { requests, faults, ...figures } = await (hasWrk ? runWrk : runAutocannon)(request)
  // A few more may have been sent that were not answered in time.
  useUp(request.clients, requests + 2 * request.connections)
  const reported = Object.entries(faults).filter(([, count]) => count > 0)
  if (reported.length > 0)
    throw new Error(
      `${request.method} ${request.path}: ${reported.map(([name, count]) => `${count} ${name}`).join(', ')}`,
    )
  if (requests === 0) throw new Error(`${request.method} ${request.path}: nothing was answered`)
  return figures
}
