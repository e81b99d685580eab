import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { KeyPorts } from '../ports.js'

export const getKeys =
  ({ management }: KeyPorts): OperatorHandler<'keys'> =>
  (request, operator) =>
    answer(management(operator, request).listKeys, okResponse)
