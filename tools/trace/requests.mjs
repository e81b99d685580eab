// The composed service on SQLite in a new folder, and the traced requests.
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request as sendOf } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { compose, createLog, loadConfig, readFile } from '../../packages/app/src/index.ts'

// Functions that timers of the service call are not part of a request.
const isTraced = new AsyncLocalStorage()

const silent = new Writable({ write: (_chunk, _encoding, done) => done() })

const composed = async (folder, server) => {
  const flags = { 'data-dir': folder, 'base-url': `http://127.0.0.1:${server.address().port}` }
  const loaded = loadConfig({ flags: { engine: 'none', ...flags }, environment: {}, readFile })
  if (loaded._tag === 'Left') throw new Error(JSON.stringify(loaded.left))
  const onFatal = (error) => {
    throw error
  }
  const mount = (listener) =>
    server.on('request', (request, response) => isTraced.run(true, () => listener(request, response)))
  const service = await compose(loaded.right.config, { log: createLog('info', silent), onFatal, mount })()
  if (service._tag === 'Left') throw new Error(service.left)
  return service.right
}

/** Runs with a service without other clients, and stops it. */
export const withService = async (use) => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-trace-'))
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { baseUrl: url, stop } = await composed(folder, server)
    await use({ url, master: readFileSync(join(folder, 'master-token'), 'utf8').trim() })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The functions that a request enters while `run` sends it, in order. */
export const enteredDuring = async (run) => {
  const places = []
  globalThis.entered = (place) => {
    if (isTraced.getStore() === true) places.push(place)
  }
  await run()
  // The log entry is written when the connection reports that all is sent.
  for (let before = -1; before < places.length; await pause(50)) before = places.length
  delete globalThis.entered
  return places
}

// All requests use one connection, so that no walk shows what the service does for a new one.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const redirect_uris = ['https://rp.example/callback']

const send = async ({ url }, method, path, { token, json } = {}) => {
  const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = sendOf(new URL(path, url), {
    method,
    agent,
    signal: AbortSignal.timeout(10_000),
    headers: token === undefined ? {} : bearer,
  })
  request.end(json === undefined ? undefined : JSON.stringify(json))
  const [answer] = await once(request, 'response')
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} was answered with ${answer.statusCode} ${body}`)
  return body.startsWith('{') ? JSON.parse(body) : {}
}

const issueToken = async (service) =>
  (await send(service, 'POST', '/direct-authz', { token: service.master, json: { scope: 'client-reg' } })).access_token

const register = async (service) =>
  send(service, 'POST', '/clients', { token: await issueToken(service), json: { redirect_uris } })

const onClient = (method, json) => async (service) => {
  const { client_id, registration_client_uri, registration_access_token: token } = await register(service)
  const body = json === undefined ? {} : { json: { client_id, ...json } }
  return () => send(service, method, registration_client_uri, { token, ...body })
}

const get = (path) => async (service) => () => send(service, 'GET', path)

/** Each request is prepared, and then sent. */
export const requests = {
  'POST /clients': async (service) => {
    const token = await issueToken(service)
    return () => send(service, 'POST', '/clients', { token, json: { redirect_uris } })
  },
  'GET /clients/{id}': onClient('GET'),
  'PUT /clients/{id}': onClient('PUT', { redirect_uris, client_name: 'Renamed' }),
  'GET /logout': get('/logout'),
  'GET /jwks.json': get('/jwks.json'),
}
