import { judgeClients } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { streamedResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { streamed } from './streamed-clients.js'

/** All clients under the policy in the body, with their violations and without secrets. */
export const postJudgement = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const judge = judgeClients(settings.registration, ports)
  return ({ body }, operator) =>
    answer(pipe(TE.fromEither(judge({ operator, body })), TE.flatMap(streamed(ports))), streamedResponse)
}
