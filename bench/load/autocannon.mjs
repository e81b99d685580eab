import autocannon from 'autocannon'
import { filledFor } from '../load.mjs'

const places = {
  random:
    ({ count }) =>
    () =>
      Math.floor(Math.random() * count),
  next: ({ count }) => {
    let at = -1
    return () => (at = (at + 1) % count)
  },
  once: ({ used, count }) => {
    let at = used - 1
    return () => (at = Math.min(at + 1, count - 1))
  },
}

const varying = (request) => {
  const next = places[request.clients.order](request.clients)
  return [{ setupRequest: (sent) => ({ ...sent, ...filledFor(request, next()) }) }]
}

export const runAutocannon = async (request) => {
  const { base, path, method, headers, body, clients, connections, seconds } = request
  const sent = clients === undefined ? { headers, body } : { requests: varying(request) }
  const url = base + (clients === undefined ? path : '/')
  const result = await autocannon({ url, method, connections, duration: seconds, timeout: 15, ...sent })
  return {
    requests: result.requests.total,
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    faults: { refusals: result.non2xx, 'broken connections': result.errors, timeouts: result.timeouts },
  }
}
