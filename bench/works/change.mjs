// Updates and removals concurrent with registrations on the same server: all of them are commits.
import { load } from '../load.mjs'
import { json, metadata } from '../requests.mjs'
import { ours } from '../servers.mjs'
import { onServer } from './on-server.mjs'
import { registration } from './register.mjs'

const authorization = 'Bearer {token}'
const path = '/clients/{client_id}'

const requests = {
  POST: (server) => registration(server),
  PUT: ({ base }, { updated }) => ({
    base,
    path,
    method: 'PUT',
    headers: { ...json, authorization },
    body: JSON.stringify(metadata('{number}')),
    clients: updated,
  }),
  DELETE: ({ base }, { removed }) => ({ base, path, method: 'DELETE', headers: { authorization }, clients: removed }),
}

const send = (method, connections) =>
  onServer(ours, (server, { seconds }, stage) =>
    load({ ...requests[method](server, stage), connections, seconds: Math.min(seconds, 3) }),
  )

const work = (connections) => ({
  name: `PUT and DELETE, ${connections} connections`,
  stage: 'changing',
  warm: true,
  quick: connections === 16,
  series: Object.fromEntries(Object.keys(requests).map((method) => [method, send(method, connections)])),
})

export const works = [work(16), work(64)]
