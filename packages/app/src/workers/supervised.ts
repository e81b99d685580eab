// The side of a worker: what its instance has in place of a terminal.
import type { Worker } from 'node:cluster'
import type { Metrics } from '../observing/metrics.js'
import { type MetricsReport, joinReports } from '../observing/joined-metrics.js'
import { type ToPrimary, ToWorker } from './messages.js'
import type { Supervisor } from './supervisor.js'

type Terminal = {
  readonly stopped: Promise<void>
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  readonly exit: (status: number) => void
}

type Channel = {
  /** Settles when the message is sent, or cannot be because the primary is gone. */
  readonly send: (message: ToPrimary) => Promise<void>
  readonly onMessage: (take: (message: ToWorker) => void) => void
  readonly onDisconnect: (run: () => void) => void
  readonly isConnected: () => boolean
}

const channelOf = (worker: Worker): Channel => ({
  send: (message) => new Promise((sent) => worker.send(message, () => sent())),
  onMessage: (take) =>
    void worker.on('message', (message: unknown) => {
      if (ToWorker.is(message)) take(message)
    }),
  onDisconnect: (run) => void worker.on('disconnect', run),
  isConnected: () => worker.isConnected(),
})

/** Milliseconds for the reports of all workers, for which the primary waits 1 second. */
const reportsLimit = 2_000

type Reports = ReadonlyArray<MetricsReport>

/** Reports its own metrics to the primary, and reads those of all workers from it, or its own without it. */
const joinedMetrics = (own: Metrics, { send, onMessage, onDisconnect, isConnected }: Channel): Metrics => {
  const awaited = new Map<number, (reports?: Reports) => void>()
  const numbering = { last: 0 }
  onMessage((message) => {
    if (message.kind === 'report wanted')
      void own.report().then((report) => send({ kind: 'report', id: message.id, report }))
    if (message.kind === 'metrics') awaited.get(message.id)?.(message.reports)
  })
  onDisconnect(() => awaited.forEach((settle) => settle()))
  const request = (): Promise<Reports | undefined> =>
    new Promise((resolve) => {
      numbering.last += 1
      const id = numbering.last
      const settle = (reports?: Reports): void => {
        clearTimeout(limit)
        awaited.delete(id)
        resolve(reports)
      }
      const limit = setTimeout(settle, reportsLimit)
      awaited.set(id, settle)
      void send({ kind: 'metrics wanted', id })
    })
  const read = async (): Promise<string> => {
    const reports = isConnected() ? await request() : undefined
    return reports === undefined ? own.read() : joinReports(reports)
  }
  return { ...own, read }
}

/** The primary of this worker as the supervisor of its instance. */
export const supervisorOf = (worker: Worker, terminal: Terminal, metrics: Metrics): Supervisor => {
  const channel = channelOf(worker)
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
    channel.onMessage(({ kind }) => {
      if (kind === 'stop') stop()
    })
    // A worker that answers nothing yet has nothing to complete; one that was stopping already is asked to end now.
    worker.on('disconnect', () => (state.isReady && !state.isStopping ? stop() : terminal.exit(1)))
  })
  return {
    ready: (startText) => {
      state.isReady = true
      void channel.send({ kind: 'ready', startText })
    },
    refused: (line) => channel.send({ kind: 'refused', line }),
    stopped,
    onReload: (reload) =>
      channel.onMessage((message) => {
        if (message.kind === 'reload') reload(message.isRecorded)
      }),
    reloadOthers: () => void channel.send({ kind: 'reload wanted' }),
    logMembers: { worker: worker.process.pid ?? 0 },
    metrics: joinedMetrics(metrics, channel),
  }
}
