import type { Listener } from '@clientele/adapters-http'
import type { Metrics } from './metrics.js'

/** Answers GET /metrics, and leaves everything else to the listener. */
export const withMetrics =
  (metrics: Metrics, listener: Listener): Listener =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return listener(request, response)
    return metrics.read().then(
      (text) => void response.setHeader('Content-Type', metrics.contentType).end(text),
      () => void response.writeHead(500).end(),
    )
  }
