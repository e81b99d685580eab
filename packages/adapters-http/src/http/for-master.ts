import type { Refusal, RequireMasterPorts } from '@clientele/domain'
import { requireMaster } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { presentedCredential } from './bearer.js'
import type { Handler } from './handler.js'
import { answer } from './handler.js'
import type { HttpRequest } from './request.js'
import { jsonResponse } from './response.js'

type Operation = (request: HttpRequest) => TE.TaskEither<Refusal, object>

/** What the master token alone may do; answered in JSON. */
export const forMaster = (
  settings: Pick<HttpSettings, 'masterToken'>,
  ports: Pick<HttpPorts, 'hashToken'> & RequireMasterPorts,
  operation: Operation,
): Handler => {
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      pipe(
        requireMaster(ports)(credentialOf(request)),
        TE.flatMap((): TE.TaskEither<Refusal, object> => operation(request)),
      ),
      (result) => jsonResponse(200, result),
    )
}
