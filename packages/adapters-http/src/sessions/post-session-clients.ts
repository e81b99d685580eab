import { recordSessionClient } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import { describedClient } from './described-session.js'

/** Records a client that signed in the end-user; answers with the sub and sid of the client's ID tokens. */
export const postSessionClients = (ports: ServicePorts): OperatorHandler<'sessions'> => {
  const record = recordSessionClient(ports)
  return ({ id, body, origin }, operator) =>
    answer(record({ operator, sid: id, body, origin }), (client) => okResponse(describedClient(client)))
}
