// The processes of the workers: what they send, and how they end.
import cluster, { type Worker } from 'node:cluster'
import { type ToWorker, ToPrimary } from './messages.js'

export type ForkedWorker = {
  readonly id: number
  readonly pid: number | undefined
  readonly send: (message: ToWorker) => void
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void
  /** Settles with the reason when the process has ended and all of its messages were taken. */
  readonly ended: Promise<string>
}

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

export const forkWorker = (onMessage: (message: ToPrimary, from: ForkedWorker) => void): ForkedWorker => {
  const worker = cluster.fork()
  const forked: ForkedWorker = {
    id: worker.id,
    pid: worker.process.pid,
    // A worker that has ended takes no message, and needs none.
    send: (message) => {
      if (worker.isConnected()) worker.send(message, () => undefined)
    },
    kill: (signal) => void worker.process.kill(signal),
    ended: endOf(worker),
  }
  worker.on('message', (message: unknown) => {
    if (ToPrimary.is(message)) onMessage(message, forked)
  })
  return forked
}
