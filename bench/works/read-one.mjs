import { load } from '../load.mjs'
import { limit, ours, peer, peerInMemory } from '../servers.mjs'
import { onServer, seriesOf } from './on-server.mjs'

export const getOne =
  (connections) =>
  (server, { seconds }, { clients }) =>
    load({
      base: server.base,
      path: `${server.endpoint}/{client_id}`,
      headers: { authorization: 'Bearer {token}' },
      clients: server.clients ?? clients,
      connections,
      seconds,
    })

const work = (connections) => ({
  name: `GET /clients/{id} of 10,000, ${connections} connections`,
  stage: 'stored',
  warm: true,
  quick: connections === 16,
  series: seriesOf([ours, limit, peer, peerInMemory], getOne(connections)),
})

const ofMany = (connections) => ({
  name: `GET /clients/{id} of 1,000,000, ${connections} connections`,
  stage: 'million',
  warm: true,
  series: { [ours]: onServer(ours, getOne(connections)), 'of 10,000': onServer('few', getOne(connections)) },
})

export const works = [work(16), work(64), ofMany(16), ofMany(64)]
