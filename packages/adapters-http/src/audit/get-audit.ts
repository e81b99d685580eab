import { invalidRequest } from '@clientele/domain/kernel'
import { type AuditParameters, auditParameters } from '@clientele/domain/operations'
import { errorResponse } from '../http/error-response.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import type { Query } from '../http/request.js'
import { okResponse } from '../http/response.js'
import type { AuditLogPorts } from '../ports.js'

const isName = (name: string): boolean => auditParameters.some((each) => each === name)

const unknownParameter = invalidRequest(`The parameters are ${auditParameters.join(', ')}, each at most once`)

// A misspelled parameter would select everything.
const parametersOf = (query: Query): AuditParameters | undefined => {
  const given = Object.entries(query)
  return given.every(([name, values]) => isName(name) && values.length === 1)
    ? Object.fromEntries(given.flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])))
    : undefined
}

/** A page of the audit log, the latest rows first. */
export const getAudit =
  ({ listAudit }: AuditLogPorts): OperatorHandler<'audit'> =>
  ({ query }, operator) => {
    const parameters = parametersOf(query)
    return parameters === undefined
      ? errorResponse(unknownParameter)
      : answer(listAudit(operator)(parameters), okResponse)
  }

/** A step of the verification of the audit log. */
export const getAuditVerification =
  ({ verifyAudit }: AuditLogPorts): OperatorHandler<'audit'> =>
  ({ query }, operator) =>
    answer(verifyAudit(operator)({ digest: query['digest']?.[0], after: query['after']?.[0] }), okResponse)
