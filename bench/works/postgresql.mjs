// The service on PostgreSQL beside itself on SQLite, and as two workers of one host.
import { load } from '../load.mjs'
import { unbound } from '../postgresql.mjs'
import { onPostgresql, ours, twoWorkers } from '../servers.mjs'
import { seriesOf } from './on-server.mjs'
import { getOne } from './read-one.mjs'
import { registration } from './register.mjs'

const post =
  (connections) =>
  (server, { seconds }) =>
    load({ ...registration(server), connections, seconds })

const ways = { 'POST /clients': post, 'GET /clients/{id}': getOne }

const work = (way, connections) => ({
  name: `PostgreSQL, ${way}, ${connections} connections`,
  stage: 'instances',
  warm: true,
  quick: false,
  series: seriesOf([ours, onPostgresql, twoWorkers], ways[way](connections)),
})

const onBothCores = (way) => ({
  ...work(way, 64),
  name: `Both cores, PostgreSQL, ${way}, 64 connections`,
  series: seriesOf([unbound(onPostgresql), unbound(twoWorkers)], ways[way](64)),
})

export const works = Object.keys(ways).flatMap((way) => [work(way, 16), work(way, 64), onBothCores(way)])
