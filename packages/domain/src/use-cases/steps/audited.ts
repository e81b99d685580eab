import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditOrigin,
  type AuditRow,
  actorOfOperator,
} from '../../audit/audit-entry.js'
import type { ManagementPrivilege } from '../../authorization/management-privileges.js'
import type { Operator } from '../../authorization/operator.js'
import type { EpochSeconds } from '../../codec/epoch-seconds.js'
import type { Unavailable } from '../../errors.js'
import type { AuditLog } from '../../ports/audit-log.js'

/** Left out where there is no audit log. */
export type AuditPorts = { readonly auditRow?: (entry: AuditEntry) => AuditRow }

/** For operations whose row has no change in the store beside it. */
export type AuditWriting = AuditPorts & Partial<Pick<AuditLog, 'addAuditRow'>>

/** Where a request came from; a change by a request without an origin is not in the audit log. */
export type WithOrigin = { readonly origin?: AuditOrigin | undefined }

/** Operations for an operator with the privilege, by a request. */
export type ByRequest<Needed extends ManagementPrivilege, Operations> = (
  operator: Operator<Needed>,
  request?: WithOrigin,
) => Operations

/** The row that is to be written with a change; none where there is no audit log. */
export const audited = (
  { auditRow }: AuditPorts,
  { origin }: WithOrigin,
  change: () => Omit<AuditEntry, 'origin'>,
): AuditRow | undefined =>
  auditRow === undefined || origin === undefined ? undefined : auditRow(Object.assign({ origin }, change()))

type Facts = Partial<Pick<AuditEntry, 'client_id' | 'subject' | 'kids' | 'members'>>

export type AuditOperation = (at: EpochSeconds, action: AuditAction, facts?: Facts) => AuditRow | undefined

const auditedAs =
  (ports: AuditPorts, actor: AuditActor, request: WithOrigin): AuditOperation =>
  (at, action, { members = [], ...facts } = {}) =>
    audited(ports, request, () => ({ at, action, actor, ...facts, members }))

/** The rows of the operations of an operator. */
export const auditedBy = (ports: AuditPorts, operator: Operator, request: WithOrigin = {}): AuditOperation =>
  auditedAs(ports, actorOfOperator(operator), request)

/** Writes a row by itself; before the answer, so that nothing is shown without its row. */
export const writeAudited = (
  { addAuditRow }: AuditWriting,
  row: AuditRow | undefined,
): TE.TaskEither<Unavailable, void> =>
  row === undefined || addAuditRow === undefined ? TE.right(undefined) : addAuditRow(row)

/** The same for a reading that goes on while the store cannot write: then only the log of the service has the request. */
export const writeAuditedIfPossible = (ports: AuditWriting, row: AuditRow | undefined): TE.TaskEither<never, void> =>
  TE.orElse((): TE.TaskEither<never, void> => TE.right(undefined))(writeAudited(ports, row))
