// Several instances behind one port, from one command.
import cluster from 'node:cluster'
import { createMetrics } from '../observing/metrics.js'
import { supervisorOf } from './supervised.js'
import type { Supervisor } from './supervisor.js'

export { superviseWorkers } from './primary.js'

/** The supervisor of the instance of this process, if it is a worker. */
export const supervisorOfThisWorker = (terminal: Parameters<typeof supervisorOf>[1]): Supervisor | undefined =>
  cluster.worker === undefined ? undefined : supervisorOf(cluster.worker, terminal, createMetrics())
