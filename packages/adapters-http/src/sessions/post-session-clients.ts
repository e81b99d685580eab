import { recordSessionClient } from '@clientele/domain'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { SessionPorts } from '../ports.js'

/** A client signed the end-user in: answers with the sub and the sid that its ID tokens carry. */
export const postSessionClients = (ports: SessionPorts): OperatorHandler => {
  const record = recordSessionClient(ports)
  return ({ id, body }, operator) => answer(record({ operator, sid: id, body }), okResponse)
}
