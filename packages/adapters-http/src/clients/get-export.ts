import { invalidRequest } from '@clientele/domain/kernel'
import { exportClients } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { streamedResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import { readingBy, streamed } from './streamed-clients.js'

const badQuery = invalidRequest('secrets must be true or false, and stand once')

/** All clients in the format of an export; with secrets=true also their credentials. */
export const getExportedClients = (ports: ServicePorts): OperatorHandler<'clients:read' | 'clients:secrets'> => {
  const listFor = readingBy(ports, exportClients)
  return (request, operator) => {
    const [secrets = 'false', ...more] = request.query['secrets'] ?? []
    return answer(
      more.length > 0 || !['true', 'false'].includes(secrets)
        ? TE.left(badQuery)
        : pipe(listFor(request)(operator, request)({ secrets: secrets === 'true' }), TE.flatMap(streamed(ports))),
      streamedResponse,
    )
  }
}
