// What operations ask for, of the opened data and this process: for routes, commands, the engine and the service's own work.
import { auditRow } from '@clientele/domain/audit'
import type { HashText } from '@clientele/domain/authorization'
import {
  type AuditPorts,
  type AuditWriting,
  type OperationPorts,
  createTurns,
  operationPorts,
} from '@clientele/domain/operations'
import type { Store, Turns } from '@clientele/domain/ports'
import { randomUUID } from 'node:crypto'
import { lifeCyclePolicy } from '../config/life-cycle.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from './open-data.js'

/** Turns whose pauses are measured by the timers of the process. */
export const timedTurns = (): Turns =>
  createTurns({
    drawFraction: Math.random,
    pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  })

/** Makes rows that go with a change. */
export const auditPorts = (hash: HashText): AuditPorts => ({ auditRow: auditRow(hash, randomUUID) })

/** Makes rows, and writes those that have no change in the store beside them. */
export const auditWriting = ({ auditLog }: Store, hash: HashText): AuditWriting => ({
  ...auditPorts(hash),
  addAuditRow: auditLog.addAuditRow,
})

/** All of them. Where registration is not open, it is the operator who removes what an earlier open one has left. */
export const portsOf = (config: Config, { store, generator, hashToken }: OpenedData): OperationPorts =>
  operationPorts({
    store,
    generator,
    hashToken,
    turns: timedTurns(),
    audit: auditWriting(store, hashToken),
    lifeCycle: lifeCyclePolicy(config),
    removes: config['allow-open-registration'],
  })
