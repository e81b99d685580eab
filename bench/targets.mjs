// The targets: a figure of this service, or its ratio to the same figure of another series of the same work. A target
// applies to all works whose name begins with its name.
import { unbound } from './postgresql.mjs'
import { limit, onPostgresql, ours, oursWithEngine, peer, peerInMemory, twoWorkers } from './servers.mjs'

const rate = 'rate'

export const targets = [
  { work: 'POST /clients', figure: rate, of: limit, least: 0.6 },
  { work: 'POST /clients', figure: rate, of: peerInMemory, least: 1.5 },
  { work: 'POST /clients, 64 ', figure: 'p99', unit: 'ms', most: 40 },

  { work: 'GET /clients/{id} of 10,000', figure: rate, of: limit, least: 0.85 },
  { work: 'GET /clients/{id} of 10,000', figure: rate, of: peer, least: 3 },
  { work: 'GET /clients/{id} of 1,000,000', figure: rate, of: 'of 10,000', least: 0.6 },

  { work: 'PUT and DELETE', series: 'PUT', figure: rate, of: 'POST', least: 0.8 },
  { work: 'PUT and DELETE', series: 'DELETE', figure: rate, of: 'POST', least: 1.1 },

  { work: 'GET key set', figure: rate, of: limit, least: 0.9 },
  { work: 'GET key set', figure: rate, of: peer, least: 2 },
  { work: 'GET metadata', figure: rate, of: limit, least: 0.9 },
  { work: 'GET metadata', figure: rate, of: peer, least: 2 },

  { work: 'GET logout dialog', figure: rate, of: peer, least: 2.5 },
  { work: 'GET logout dialog', figure: rate, of: peerInMemory, least: 1.3 },

  { work: 'authorization code and token', figure: rate, of: peer, least: 1.3 },
  { work: 'refresh token', figure: rate, of: peer, least: 1.5 },

  { work: 'GET /clients, ', figure: rate, least: 25_000 },
  { work: 'GET /clients, ', figure: 'ms to the first byte', most: 40 },
  { work: 'GET /clients, ', figure: 'MiB more memory', most: 16 },
  { work: 'GET /clients, ', figure: 'times the p99 of GET key set before', most: 3 },

  { work: 'PostgreSQL, POST /clients, 64 ', series: onPostgresql, figure: rate, of: ours, least: 0.95 },
  { work: 'PostgreSQL, GET /clients/{id}, 64 ', series: onPostgresql, figure: rate, of: ours, least: 0.95 },
  { work: 'Both cores', series: unbound(twoWorkers), figure: rate, of: unbound(onPostgresql), least: 1.5 },

  { work: 'start', series: ours, figure: 'ms to ready', most: 450 },
  { work: 'start', series: ours, figure: 'MiB when idle', most: 80 },
  { work: 'start', series: oursWithEngine, figure: 'ms to ready', most: 600 },
  { work: 'start', series: oursWithEngine, figure: 'MiB when idle', most: 90 },
]
