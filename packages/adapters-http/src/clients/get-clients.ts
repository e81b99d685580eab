import { unknownParameter } from '@clientele/domain/managing'
import { listClients } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { errorResponse } from '../http/error-response.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { streamedResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { readingBy, streamed } from './streamed-clients.js'

/** All clients, with their credentials. */
export const getClients = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const listFor = readingBy(ports, (by) => listClients(settings.registration, by))
  return (request, operator) => {
    // A misspelled filter would answer with all clients.
    const unknown = unknownParameter(request.query, [])
    return unknown === undefined
      ? answer(pipe(listFor(request)(operator, request), TE.flatMap(streamed(ports))), streamedResponse)
      : errorResponse(unknown)
  }
}
