// What an instance reports to and is stopped by, and for an instance in a worker: its primary, with the messages between
// the two.
import cluster, { type Worker } from 'node:cluster'
import * as t from 'io-ts'
import { MetricsReport } from '../observing/joined-metrics.js'
import { type Metrics, createMetrics } from '../observing/metrics.js'

/** The operator's terminal, or the primary of a worker. */
export type Supervisor = {
  /** Reports that the instance listens, with the text of its start. */
  readonly ready: (startText: string) => void
  /** Reports that the instance cannot start, in one line. */
  readonly refused: (line: string) => Promise<void>
  /** Settles when the instance has to stop. */
  readonly stopped: Promise<void>
  /** Registers what reads the settings again; of the processes that do, one records it in the audit log. */
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  /** Makes the other workers read the settings again. */
  readonly reloadOthers?: (() => void) | undefined
  /** The members of every entry of the log. */
  readonly logMembers: Readonly<Record<string, number>> | null
  /** The metrics of all workers, in place of those of one process. */
  readonly metrics?: Metrics | undefined
}

/** What a worker sends. Messages of other kinds are ignored. */
export const ToPrimary = t.union([
  t.type({ kind: t.literal('ready'), startText: t.string }),
  t.type({ kind: t.literal('refused'), line: t.string }),
  t.type({ kind: t.literal('metrics wanted'), id: t.number }),
  t.type({ kind: t.literal('reload wanted') }),
  t.type({ kind: t.literal('report'), id: t.number, report: MetricsReport }),
])
export type ToPrimary = t.TypeOf<typeof ToPrimary>

/** What the primary sends. */
const ToWorker = t.union([
  t.type({ kind: t.literal('stop') }),
  t.type({ kind: t.literal('reload'), isRecorded: t.boolean }),
  t.type({ kind: t.literal('report wanted'), id: t.number }),
  t.type({ kind: t.literal('metrics'), id: t.number, text: t.string }),
])
export type ToWorker = t.TypeOf<typeof ToWorker>

/** Settles when the message is sent, or cannot be because the primary is gone. */
const send = (worker: Worker, message: ToPrimary): Promise<void> =>
  new Promise((sent) => worker.send(message, () => sent()))

const onMessage = (worker: Worker, take: (message: ToWorker) => void): void =>
  void worker.on('message', (message: unknown) => {
    if (ToWorker.is(message)) take(message)
  })

/** Milliseconds for the metrics of all workers, for which the primary waits 1 second. */
const metricsLimit = 2_000

/** Reports its own metrics to the primary, and reads those of all workers from it, or its own without it. */
const joinedMetrics = (worker: Worker): Metrics => {
  const own = createMetrics()
  const awaited = new Map<number, (text?: string) => void>()
  let last = 0
  onMessage(worker, (message) => {
    if (message.kind === 'report wanted')
      void own.report().then((report) => send(worker, { kind: 'report', id: message.id, report }))
    if (message.kind === 'metrics') awaited.get(message.id)?.(message.text)
  })
  worker.on('disconnect', () => awaited.forEach((settle) => settle()))
  const ofAll = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const id = (last += 1)
      const settle = (text?: string): void => {
        clearTimeout(limit)
        awaited.delete(id)
        resolve(text)
      }
      const limit = setTimeout(settle, metricsLimit)
      awaited.set(id, settle)
      void send(worker, { kind: 'metrics wanted', id })
    })
  const read = async (): Promise<string> => (worker.isConnected() ? await ofAll() : undefined) ?? own.read()
  return { ...own, read }
}

type Terminal = {
  readonly stopped: Promise<void>
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  readonly exit: (status: number) => void
}

const supervisorOf = (worker: Worker, terminal: Terminal): Supervisor => {
  const state = { isReady: false, isStopping: false }
  // Without it, Node ends a worker at once when its primary is gone.
  worker.exitedAfterDisconnect = true
  // A signal to all processes of a group reaches the primary as well, which passes it on.
  terminal.onReload(() => undefined)
  const stopped = new Promise<void>((resolve) => {
    const stop = (): void => {
      state.isStopping = true
      resolve()
    }
    void terminal.stopped.then(stop)
    onMessage(worker, ({ kind }) => {
      if (kind === 'stop') stop()
    })
    // A worker that answers nothing yet has nothing to complete; one that was stopping already is asked to end now.
    worker.on('disconnect', () => (state.isReady && !state.isStopping ? stop() : terminal.exit(1)))
  })
  return {
    ready: (startText) => {
      state.isReady = true
      void send(worker, { kind: 'ready', startText })
    },
    refused: (line) => send(worker, { kind: 'refused', line }),
    stopped,
    onReload: (reload) =>
      onMessage(worker, (message) => {
        if (message.kind === 'reload') reload(message.isRecorded)
      }),
    reloadOthers: () => void send(worker, { kind: 'reload wanted' }),
    logMembers: { worker: worker.process.pid ?? 0 },
    metrics: joinedMetrics(worker),
  }
}

/** The supervisor of the instance of this process, if it is a worker. */
export const supervisorOfThisWorker = (terminal: Terminal): Supervisor | undefined =>
  cluster.worker === undefined ? undefined : supervisorOf(cluster.worker, terminal)
