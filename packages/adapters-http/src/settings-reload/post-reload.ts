import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { HttpPorts } from '../ports.js'

/** Reads the settings again: all that can change while the service runs, or nothing. */
export const postReload =
  (reload: NonNullable<HttpPorts['reload']>): OperatorHandler<'operators'> =>
  (request, operator) =>
    answer(reload(operator, request), okResponse)
