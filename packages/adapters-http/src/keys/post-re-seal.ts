import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { HttpPorts } from '../ports.js'

/** Seals everything that is stored with the encryption key that seals now. */
export const postReSeal =
  (sealAnew: NonNullable<HttpPorts['sealAnew']>): OperatorHandler =>
  (_request, operator) =>
    answer(sealAnew(operator), okResponse)
