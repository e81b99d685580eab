// What commands ask of the notices that are still owed to applications, while the service runs; MASTER alone.
import type { Refusal } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { forMaster } from '../http/for-master.js'
import type { Handler } from '../http/handler.js'
import { textMember } from '../http/text-member.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

const idOf = textMember('id', 'The body must be a JSON object with the string id, or empty')

export const getLogouts = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, () => ports.logoutNotices.listNotices)

export const postRetry = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, ({ body }) =>
    pipe(
      TE.fromEither<Refusal, string | undefined>(idOf(body)),
      TE.flatMap((id) => ports.logoutNotices.retry(O.fromNullable(id))),
    ),
  )
