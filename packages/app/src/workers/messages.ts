// What the primary and its workers send to each other. Messages of other kinds are ignored.
import * as t from 'io-ts'
import { MetricsReport } from '../observing/joined-metrics.js'

/** Of a worker. */
export const ToPrimary = t.union([
  t.type({ kind: t.literal('ready'), startText: t.string }),
  t.type({ kind: t.literal('refused'), line: t.string }),
  t.type({ kind: t.literal('metrics wanted'), id: t.number }),
  t.type({ kind: t.literal('reload wanted') }),
  t.type({ kind: t.literal('report'), id: t.number, report: MetricsReport }),
])
export type ToPrimary = t.TypeOf<typeof ToPrimary>

/** Of the primary. */
export const ToWorker = t.union([
  t.type({ kind: t.literal('stop') }),
  t.type({ kind: t.literal('reload'), isRecorded: t.boolean }),
  t.type({ kind: t.literal('report wanted'), id: t.number }),
  t.type({ kind: t.literal('metrics'), id: t.number, reports: t.readonlyArray(MetricsReport) }),
])
export type ToWorker = t.TypeOf<typeof ToWorker>
