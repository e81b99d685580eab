import type { RequestListener } from 'node:http'
import type { Metrics } from './metrics.js'

/** Answers GET /metrics, and leaves everything else to the listener. */
export const withMetrics =
  (metrics: Metrics, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return listener(request, response)
    metrics.read().then(
      (text) => response.setHeader('Content-Type', metrics.contentType).end(text),
      () => response.writeHead(500).end(),
    )
  }
