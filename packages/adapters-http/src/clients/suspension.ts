import { resumeClient, suspendClient } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

/** Suspends a client. */
export const postSuspension = (ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const suspend = suspendClient(ports)
  return ({ id, origin }, operator) => answer(suspend({ operator, clientId: id, origin }), okResponse)
}

/** Resumes a client. */
export const deleteSuspension = (ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const resume = resumeClient(ports)
  return ({ id, origin }, operator) => answer(resume({ operator, clientId: id, origin }), okResponse)
}
