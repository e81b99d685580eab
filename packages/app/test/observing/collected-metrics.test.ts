// The metrics of several workers, each with a registry of its own, as the primary collects them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Metrics, createMetrics, doorsOf } from '../../src/observing/metrics.js'
import { type CollectedMetrics, collectMetrics } from '../../src/observing/joined-metrics.js'

const collecting = suite('the metrics of all workers')

const request = { method: 'POST', route: '/clients', status: 200, duration_ms: 3 }

type World = CollectedMetrics & {
  readonly workers: ReadonlyArray<Metrics>
  readonly silent: Set<number>
  readonly read: (workers: ReadonlyArray<number>) => Promise<string>
}

const world = (): World => {
  const workers = [createMetrics(), createMetrics(), createMetrics()]
  const silent = new Set<number>()
  const collected: CollectedMetrics = collectMetrics((worker, id) => {
    if (silent.has(worker)) return
    void workers[worker]?.report().then((report) => collected.take(worker, id, JSON.parse(JSON.stringify(report))))
  })
  return { ...collected, workers, silent, read: collected.collect }
}

const total = (count: number): string =>
  `clientele_http_requests_total{route="/clients",method="POST",status="200"} ${count}\n`

const doorOf = doorsOf('', '/logout')

const bucket = (count: number): string =>
  `clientele_http_request_duration_seconds_bucket{le="0.005",route="/clients",method="POST",status="200"} ${count}\n`

const valueOf = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

collecting('counts and buckets are summed', async () => {
  const { workers, read } = world()
  for (const { observe } of workers) observe(request, doorOf)
  const text = await read([0, 1, 2])
  assert.match(text, total(3))
  assert.match(text, bucket(3))
})

collecting('what must not be summed is not', async () => {
  const { workers, read } = world()
  const [one] = workers
  assert.ok(one)
  const text = await read([0, 1, 2])
  const own = await one.read()
  assert.is(valueOf(text, 'process_start_time_seconds'), valueOf(own, 'process_start_time_seconds'))
  assert.match(text, /^nodejs_version_info\{.*\} 1$/m)
  // Every metric of one process is there.
  const names = (all: string): ReadonlyArray<string> =>
    [...all.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  assert.equal([...names(text)].sort(), [...names(own)].sort())
})

collecting('the start is that of the youngest, and the lag that of the slowest', async () => {
  const report = (value: number) =>
    ['process_start_time_seconds', 'nodejs_eventloop_lag_p99_seconds'].map((name) => ({ name, value }))
  const { workers, take, collect } = world()
  const sample = await workers[0]?.report()
  assert.ok(sample)
  const collected = collect([0, 1])
  for (const [worker, value] of [2_000, 1_000].entries()) {
    const values = new Map(report(value).map((each) => [each.name, each.value]))
    take(
      worker,
      1,
      sample.map((metric) => {
        const given = values.get(metric.name)
        return given === undefined ? metric : { ...metric, values: [{ value: given, labels: {} }] }
      }),
    )
  }
  const text = await collected
  for (const { name, value } of report(2_000)) assert.is(valueOf(text, name), value)
})

collecting('counts of a worker that has ended stay, and its memory does not', async () => {
  const { workers, read, retire } = world()
  for (const { observe } of workers) observe(request, doorOf)
  const before = await read([0, 1, 2])
  retire(0)
  retire(1)
  const after = await read([2])
  assert.match(after, total(3))
  assert.match(after, bucket(3))
  const memory = (text: string): number => valueOf(text, 'process_resident_memory_bytes')
  assert.ok(memory(after) < memory(before) / 2)
})

collecting('the last report of a worker that does not answer counts', async () => {
  const { workers, read, silent } = world()
  for (const { observe } of workers) observe(request, doorOf)
  assert.match(await read([0, 1, 2]), total(3))
  silent.add(1)
  workers[0]?.observe(request, doorOf)
  workers[1]?.observe(request, doorOf)
  assert.match(await read([0, 1, 2]), total(4))
})

collecting('a worker that ends while it is asked is not waited for', async () => {
  const { workers, read, silent, retire } = world()
  for (const { observe } of workers) observe(request, doorOf)
  silent.add(1)
  const began = performance.now()
  const reading = read([0, 1, 2])
  retire(1)
  assert.match(await reading, total(2))
  assert.ok(performance.now() - began < 900)
})

collecting.run()
