// The targets: a figure of this service, or its ratio to the same figure of another series of the same work. A target
// applies to all works whose name begins with its name.
import { glewlwyd, iterate, limit, peer, peerInMemory } from './servers.mjs'

const rate = 'rate'

export const targets = [
  { work: 'POST /clients, 16 ', figure: rate, of: peer, least: 8 },
  { work: 'POST /clients, 64 ', figure: rate, of: peer, least: 10 },
  { work: 'POST /clients', figure: rate, of: peerInMemory, least: 1.5 },
  { work: 'POST /clients', figure: rate, of: limit, least: 0.6 },
  { work: 'POST /clients, 64 ', figure: 'p99', unit: 'ms', most: 60 },

  { work: 'GET /clients/{id} of 10,000', figure: rate, of: peer, least: 3 },
  { work: 'GET /clients/{id} of 10,000', figure: rate, of: peerInMemory, least: 3 },
  { work: 'GET /clients/{id} of 10,000', figure: rate, of: limit, least: 0.75 },
  { work: 'GET /clients/{id} of 1,000,000', figure: rate, of: 'of 10,000', least: 0.6 },

  { work: 'PUT and DELETE', series: 'PUT', figure: rate, of: 'POST', least: 0.7 },
  { work: 'PUT and DELETE', series: 'DELETE', figure: rate, of: 'POST', least: 0.7 },

  { work: 'GET key set', figure: rate, of: limit, least: 0.9 },
  { work: 'GET key set', figure: rate, of: peer, least: 1.8 },
  { work: 'GET key set', figure: rate, of: glewlwyd, least: 1.2 },
  { work: 'GET metadata', figure: rate, of: limit, least: 0.9 },
  { work: 'GET metadata', figure: rate, of: peer, least: 1.8 },
  { work: 'GET metadata', figure: rate, of: glewlwyd, least: 1.2 },

  { work: 'GET logout dialog', figure: rate, of: peer, least: 1.5 },
  { work: 'GET logout dialog', figure: rate, of: peerInMemory, least: 0.8 },

  { work: 'authorization code and token', figure: rate, of: peer, least: 1 },
  { work: 'refresh token', figure: rate, of: peer, least: 1 },

  { work: 'GET /clients, ', figure: 'ms to the first byte', most: 50 },
  { work: 'GET /clients, ', figure: 'MiB more memory', most: 64 },
  { work: 'GET /clients, ', figure: rate, of: iterate, least: 0.5 },
  { work: 'GET /clients, ', figure: 'times the p99 of GET key set before', most: 3 },

  { work: 'start', figure: 'ms to ready', most: 600 },
  { work: 'start', figure: 'MiB when idle', most: 90 },
]
