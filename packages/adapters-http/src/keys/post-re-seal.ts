import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { HttpPorts } from '../ports.js'

/** Seals all stored values with the present encryption key. */
export const postReSeal =
  (sealAnew: NonNullable<HttpPorts['sealAnew']>): OperatorHandler<'keys'> =>
  (_request, operator) =>
    answer(sealAnew(operator), okResponse)
