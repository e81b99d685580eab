// The primary of several instances behind one port: it forks workers, starts others in place of those that end, and stops
// them all.
import cluster, { type Worker } from 'node:cluster'
import { type CollectedMetrics, collectMetrics } from '../observing/joined-metrics.js'
import type { Log } from '../observing/log.js'
import { type Supervisor, ToPrimary, type ToWorker } from './worker.js'

// Each worker accepts for itself. A connection that the primary hands over would never be answered, nor closed, when its
// worker is killed before it takes it.
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Milliseconds after the end of a process for its last messages. */
const messageLimit = 1_000

// A channel on which a handle was under way may stay open; only a closed one makes the module forget the worker's ports.
const disconnectLate = (worker: Worker): void => {
  const limit = setTimeout(() => worker.process.disconnect(), messageLimit)
  worker.once('disconnect', () => clearTimeout(limit))
}

/** Settles with the reason when the process has ended and all of its messages were taken. */
const endOf = (worker: Worker): Promise<string> => {
  const disconnected = new Promise<void>((resolve) => worker.once('disconnect', resolve))
  const exited = new Promise<string>((resolve) =>
    worker.once('exit', (status, signal) => {
      if (worker.isConnected()) disconnectLate(worker)
      resolve(signal ? `by ${signal}` : `with status ${status}`)
    }),
  )
  // Where no process could be made, neither event comes. The other errors are of messages to a worker that has ended.
  const failed = new Promise<string>((resolve) =>
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) resolve(`by ${message}`)
    }),
  )
  return Promise.race([failed, disconnected.then(() => exited)])
}

// A worker that has ended takes no message, and needs none.
const send = (worker: Worker | undefined, message: ToWorker): void => {
  if (worker?.isConnected() === true) worker.send(message, () => undefined)
}

const observed = 60_000
const shortestPause = 100
const maxPause = 30_000

/** Of the times at which workers ended, those of the last minute. */
export const latestEnds = (ends: ReadonlyArray<number>, now: number): ReadonlyArray<number> =>
  ends.filter((end) => now - end < observed)

/** Milliseconds until a worker is forked in place of one that ended, by the number of latest ends. */
export const pauseBeforeFork = (ends: number): number => Math.min(maxPause, shortestPause * 2 ** (ends - 1))

/** The first outcome of the start of all workers. */
type Started = { readonly startText: string } | { readonly refusal: string }

type Primary = {
  readonly count: number
  readonly log: Log
  readonly started: (outcome: Started) => void
  readonly metrics: CollectedMetrics
  readonly workers: Map<number, { readonly worker: Worker; readonly ended: Promise<string> }>
  readonly ready: Set<number>
  /** The workers that were starting at a reload; whether they record it. */
  readonly missed: Map<number, boolean>
  ends: ReadonlyArray<number>
  phase: 'starting' | 'running' | 'stopping'
}

// One worker records a signal; a request is recorded by the worker that received it. A worker that starts has read the
// settings already, and takes no message yet: it is told when it is ready.
const reloadAll = ({ workers, ready, missed }: Primary, from?: Worker): void => {
  const others = [...workers.values()].filter(({ worker: { id } }) => id !== from?.id)
  const recording = from ?? (others.find(({ worker: { id } }) => ready.has(id)) ?? others[0])?.worker
  for (const { worker } of others) {
    const isRecorded = worker === recording
    if (ready.has(worker.id)) send(worker, { kind: 'reload', isRecorded })
    else missed.set(worker.id, isRecorded)
  }
}

const take = (primary: Primary, message: ToPrimary, from: Worker): void => {
  const { count, log, metrics, missed, phase, ready, started } = primary
  const { pid } = from.process
  const isRecorded = missed.get(from.id)
  switch (message.kind) {
    case 'ready':
      log.info({ worker: pid }, 'a worker is ready')
      ready.add(from.id)
      if (isRecorded !== undefined) send(from, { kind: 'reload', isRecorded })
      if (phase !== 'starting' || ready.size < count) return
      primary.phase = 'running'
      return started({ startText: message.startText })
    case 'refused':
      if (phase === 'starting') started({ refusal: message.line })
      if (phase === 'running') log.error({ worker: pid, refusal: message.line }, 'a worker cannot start')
      return
    case 'report':
      return metrics.take(from.id, message.id, message.report)
    case 'reload wanted':
      return reloadAll(primary, from)
    case 'metrics wanted':
      return void metrics.collect([...new Set([...ready, from.id])]).then(
        (text) => send(from, { kind: 'metrics', id: message.id, text }),
        // The worker answers with its own, as it does where the primary is silent.
        (detail: unknown) => log.error({ detail }, 'the metrics of the workers could not be joined'),
      )
  }
}

const replaceLater = (primary: Primary, worker: Worker, reason: string): void => {
  const now = performance.now()
  primary.ends = latestEnds([...primary.ends, now], now)
  const pause = pauseBeforeFork(primary.ends.length)
  primary.log.error(
    { worker: worker.process.pid, reason, pause_ms: pause },
    'a worker ended; another one starts after the pause',
  )
  setTimeout(() => {
    if (primary.phase === 'running') add(primary)
  }, pause)
}

const add = (primary: Primary): void => {
  const { workers, ready, missed, metrics, started } = primary
  const worker = cluster.fork()
  const ended = endOf(worker)
  workers.set(worker.id, { worker, ended })
  worker.on('message', (message: unknown) => {
    if (ToPrimary.is(message)) take(primary, message, worker)
  })
  void ended.then((reason) => {
    workers.delete(worker.id)
    ready.delete(worker.id)
    missed.delete(worker.id)
    metrics.retire(worker.id)
    if (primary.phase === 'starting') started({ refusal: `a worker ended ${reason} before it was ready` })
    if (primary.phase === 'running') replaceLater(primary, worker, reason)
  })
}

/** Milliseconds for the end of a worker, which itself waits 10 seconds for its requests. */
const stopLimit = 15_000

/** Stops all workers; false if one had to be killed. */
const stopAll = async (primary: Primary): Promise<boolean> => {
  const { workers, ready } = primary
  const outcome = { inTime: true }
  primary.phase = 'stopping'
  const running = [...workers.values()]
  // A worker that is not ready may not take messages yet; a signal ends it at any time.
  for (const { worker } of running)
    if (ready.has(worker.id)) send(worker, { kind: 'stop' })
    else worker.process.kill('SIGTERM')
  const limit = setTimeout(() => {
    outcome.inTime = false
    for (const { worker } of workers.values()) worker.process.kill('SIGKILL')
  }, stopLimit)
  await Promise.all(running.map(({ ended }) => ended))
  clearTimeout(limit)
  return outcome.inTime
}

/** Runs this many workers until the supervisor stops them. The first refusal ends a start. */
export const superviseWorkers = async (count: number, log: Log, supervisor: Supervisor): Promise<0 | 1> => {
  const workers: Primary['workers'] = new Map()
  const metrics = collectMetrics((worker, id) => send(workers.get(worker)?.worker, { kind: 'report wanted', id }))
  let started: Primary['started'] = () => undefined
  const outcome = new Promise<Started>((resolve) => (started = resolve))
  const primary: Primary = {
    count,
    log,
    started,
    metrics,
    workers,
    ready: new Set(),
    missed: new Map(),
    ends: [],
    phase: 'starting',
  }
  for (let forked = 0; forked < count; forked += 1) add(primary)
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
