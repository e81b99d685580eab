// Commands on the audit log, through the running service or on the store when none runs.
import { type AuditParameters, AuditList, AuditVerification } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { auditLogPorts } from '../audit/audit-ports.js'
import type { Config } from '../config/settings.js'
import { operate } from './operation.js'

const queryOf = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

export const listAudit = (config: Config, parameters: AuditParameters): TE.TaskEither<string, AuditList> =>
  operate(config, {
    path: `/manage/v1/audit${queryOf(parameters)}`,
    codec: AuditList,
    onStore: (data) => auditLogPorts(config, data, () => []).listAudit(data.operator)(parameters),
  })

/** Milliseconds: a long log takes long. */
const timeLimit = 600_000

export const verifyAudit = (config: Config, digest: string | undefined): TE.TaskEither<string, AuditVerification> =>
  operate(config, {
    path: `/manage/v1/audit/verification${queryOf({ digest })}`,
    asking: { timeLimit },
    codec: AuditVerification,
    onStore: (data) =>
      pipe(
        data.store.keyRings.readKeyRings,
        TE.mapLeft((failure): unknown => failure),
        TE.flatMap((rings) => auditLogPorts(config, data, () => rings).verifyAudit(data.operator)({ digest })),
      ),
  })
