import { judgeClients } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { begun, jsonArray } from './get-clients.js'

/** Every client under the policy of the body, with what it would fall for: a streamed JSON array, without any secret. */
export const postJudgement = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const judge = judgeClients(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      pipe(
        judge({ credential: credentialOf(request), body: request.body }),
        TE.flatMap((clients) => begun(jsonArray(clients, ports.logUnreadable))),
      ),
      (chunks) => ({
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: { kind: 'stream', chunks },
      }),
    )
}
