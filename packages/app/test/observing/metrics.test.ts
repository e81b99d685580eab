import { createServer } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics, doorsOf, withMetrics } from '../../src/observing/metrics.js'

const request = { method: 'POST', route: '/clients', status: 200, duration_ms: 3 }

const metrics = suite('metrics')
const doorOf = doorsOf('', '/logout')

metrics('the name of a member of every object is no door', () => {
  assert.is(doorOf({ method: 'GET', route: 'constructor' }), 'management')
})

metrics('requests are counted and timed by route, method and status', async () => {
  const { observe, read } = createMetrics()
  observe(request, doorOf)
  observe({ ...request, status: 401 }, doorOf)
  observe(request, doorOf)
  const text = await read()
  assert.match(text, 'clientele_http_requests_total{route="/clients",method="POST",status="200"} 2')
  assert.match(text, 'clientele_http_requests_total{route="/clients",method="POST",status="401"} 1')
  assert.match(
    text,
    'clientele_http_request_duration_seconds_bucket{le="0.005",route="/clients",method="POST",status="200"} 2',
  )
})

metrics('what was read is counted on, however many read at once', async () => {
  const { observe, read } = createMetrics()
  const reported = (number: number): string =>
    `clientele_http_requests_total{route="/clients",method="POST",status="200"} ${number}\n`
  assert.match(await read(), '# TYPE clientele_http_requests_total counter')
  observe(request, doorOf)
  for (const text of await Promise.all([read(), read()])) assert.match(text, reported(1))
  observe(request, doorOf)
  assert.match(await read(), reported(2))
})

metrics('invented methods share one label, so that they cannot grow the memory', async () => {
  const { observe, read } = createMetrics()
  for (const method of ['BREW', 'BROWSE']) observe({ ...request, method }, doorOf)
  assert.match(await read(), 'clientele_http_requests_total{route="/clients",method="other",status="200"} 2')
})

metrics('GET /metrics shows them, and everything else is left to the listener', async () => {
  const listener = withMetrics(createMetrics(), (_, response) => response.end('other'))
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const answer = await fetch(`${base}/metrics`)
  assert.match(String(answer.headers.get('content-type')), 'text/plain')
  assert.match(await answer.text(), 'process_cpu_seconds_total')
  assert.is(await (await fetch(`${base}/health/live`)).text(), 'other')
  assert.is(await (await fetch(`${base}/metrics`, { method: 'POST' })).text(), 'other')
  for (const [path, method] of [
    ['/metrics?x=1', 'GET'],
    ['/metrics', 'HEAD'],
  ] as const)
    assert.match(String((await fetch(base + path, { method })).headers.get('content-type')), /^text\/plain/)
  server.closeAllConnections()
  server.close()
})

metrics.run()
