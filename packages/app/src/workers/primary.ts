// The primary: it forks workers, starts others in place of those that end, and stops them all.
import type { Log } from '../observing/log.js'
import { type CollectedMetrics, collectMetrics } from './collected-metrics.js'
import { type ForkedWorker, forkWorker } from './forked-workers.js'
import type { ToPrimary } from './messages.js'
import { latestEnds, pauseBeforeFork } from './pause-before-fork.js'
import type { Supervisor } from './supervisor.js'

/** Milliseconds for the end of a worker, which itself waits 10 seconds for its requests. */
const stopLimit = 15_000

type Phase = 'starting' | 'running' | 'stopping'

const deferred = <A>(): { readonly promise: Promise<A>; readonly resolve: (value: A) => void } => {
  const settled: { resolve: (value: A) => void } = { resolve: () => undefined }
  const promise = new Promise<A>((resolve) => void (settled.resolve = resolve))
  return { promise, resolve: (value) => settled.resolve(value) }
}

/** The first outcome of the start of all workers. */
type Started = { readonly startText: string } | { readonly refusal: string }

type Primary = {
  readonly count: number
  readonly log: Log
  readonly started: (outcome: Started) => void
  readonly metrics: CollectedMetrics
  readonly workers: Map<number, ForkedWorker>
  readonly ready: Set<number>
  ends: ReadonlyArray<number>
  phase: Phase
}

const listening = (primary: Primary, { id, pid }: ForkedWorker, startText: string): void => {
  const { phase, log, ready, count, started } = primary
  log.info({ worker: pid }, 'a worker is ready')
  ready.add(id)
  if (phase !== 'starting' || ready.size < count) return
  primary.phase = 'running'
  started({ startText })
}

const refused = ({ phase, log, started }: Primary, { pid }: ForkedWorker, refusal: string): void => {
  if (phase === 'starting') started({ refusal })
  if (phase === 'running') log.error({ worker: pid, refusal }, 'a worker cannot start')
}

// One worker records a signal; a request is recorded by the worker that received it.
const reloadAll = ({ workers, ready }: Primary, from?: ForkedWorker): void => {
  const others = [...workers.values()].filter(({ id }) => ready.has(id) && id !== from?.id)
  for (const [place, { send }] of others.entries())
    send({ kind: 'reload', isRecorded: from === undefined && place === 0 })
}

const take = (primary: Primary, message: ToPrimary, from: ForkedWorker): void => {
  const { metrics, ready } = primary
  switch (message.kind) {
    case 'ready':
      return listening(primary, from, message.startText)
    case 'refused':
      return refused(primary, from, message.line)
    case 'report':
      return metrics.take(from.id, message.id, message.report)
    case 'reload wanted':
      return reloadAll(primary, from)
    case 'metrics wanted': {
      const send = (reports: Awaited<ReturnType<CollectedMetrics['collect']>>): void =>
        from.send({ kind: 'metrics', id: message.id, reports })
      return void metrics.collect([...new Set([...ready, from.id])]).then(send)
    }
  }
}

const replaceLater = (primary: Primary, { pid }: ForkedWorker, reason: string): void => {
  const { log } = primary
  const now = performance.now()
  primary.ends = latestEnds([...primary.ends, now], now)
  const pause = pauseBeforeFork(primary.ends.length)
  log.error({ worker: pid, reason, pause_ms: pause }, 'a worker ended; another one starts after the pause')
  setTimeout(() => {
    if (primary.phase === 'running') add(primary)
  }, pause)
}

const add = (primary: Primary): void => {
  const { workers, ready, metrics, started } = primary
  const worker = forkWorker((message, from) => take(primary, message, from))
  workers.set(worker.id, worker)
  void worker.ended.then((reason) => {
    workers.delete(worker.id)
    ready.delete(worker.id)
    metrics.retire(worker.id)
    if (primary.phase === 'starting') started({ refusal: `a worker ended ${reason} before it was ready` })
    if (primary.phase === 'running') replaceLater(primary, worker, reason)
  })
}

// A worker that is not ready may not take messages yet; a signal ends it at any time.
const stopOne = ({ ready }: Primary, { id, send, kill }: ForkedWorker): void =>
  ready.has(id) ? send({ kind: 'stop' }) : kill('SIGTERM')

/** Stops all workers; false if one had to be killed. */
const stopAll = async (primary: Primary): Promise<boolean> => {
  const { workers } = primary
  const outcome = { inTime: true }
  primary.phase = 'stopping'
  const running = [...workers.values()]
  for (const worker of running) stopOne(primary, worker)
  const limit = setTimeout(() => {
    outcome.inTime = false
    for (const { kill } of workers.values()) kill('SIGKILL')
  }, stopLimit)
  await Promise.all(running.map(({ ended }) => ended))
  clearTimeout(limit)
  return outcome.inTime
}

const startAll = (count: number, log: Log): { readonly primary: Primary; readonly outcome: Promise<Started> } => {
  const workers = new Map<number, ForkedWorker>()
  const metrics = collectMetrics((worker, id) => workers.get(worker)?.send({ kind: 'report wanted', id }))
  const { promise: outcome, resolve: started } = deferred<Started>()
  const primary: Primary = { count, log, started, metrics, workers, ready: new Set(), ends: [], phase: 'starting' }
  Array.from({ length: count }, () => add(primary))
  return { primary, outcome }
}

/** Runs this many workers until the supervisor stops them. The first refusal ends a start. */
export const superviseWorkers = async (count: number, log: Log, supervisor: Supervisor): Promise<0 | 1> => {
  const { primary, outcome } = startAll(count, log)
  supervisor.onReload(() => reloadAll(primary))
  const first = await Promise.race([outcome, supervisor.stopped])
  if (first !== undefined && 'refusal' in first) {
    await supervisor.refused(first.refusal)
    await stopAll(primary)
    return 1
  }
  if (first !== undefined) supervisor.ready(first.startText)
  await supervisor.stopped
  log.info('stopping the workers')
  const inTime = await stopAll(primary)
  log.info('stopped the workers')
  return inTime ? 0 : 1
}
