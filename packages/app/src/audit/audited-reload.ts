// A reload of the settings is a change in the process: its row follows it.
import type { AuditRow } from '@clientele/domain/audit'
import type { InvalidSettings, Unavailable } from '@clientele/domain/kernel'
import { type ByRequest, auditedBy, writeAudited } from '@clientele/domain/operations'
import type { Reloaded } from '@clientele/adapters-http'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { auditWriting } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import type { Reload } from '../reload.js'
import { commandOrigin } from './command-origin.js'

type Reloading = ByRequest<'operators', TE.TaskEither<InvalidSettings | Unavailable, Reloaded>>

/** Reloads by a request, with a row that names the changed settings. */
export const auditedReload =
  ({ store, hashToken, generator }: Pick<OpenedData, 'store' | 'hashToken' | 'generator'>, reload: Reload): Reloading =>
  (operator, request) => {
    const ports = auditWriting(store, hashToken)
    const row = auditedBy(ports, operator, request)
    const rowOf = ({ reloaded }: Reloaded): AuditRow | undefined =>
      row(generator.now(), 'settings_reloaded', { members: [...reloaded].sort() })
    return pipe(
      TE.fromIOEither<InvalidSettings | Unavailable, Reloaded>(reload),
      TE.tap((reloaded) => writeAudited(ports, rowOf(reloaded))),
    )
  }

/** Reloads by a signal to the process, which only the operator of the machine sends. */
export const reloadBySignal =
  (data: OpenedData, reload: Reload, log: Log) =>
  (isRecorded: boolean): void => {
    if (!isRecorded) return void reload()
    void auditedReload(data, reload)(data.operator, { origin: commandOrigin() })().then((outcome) => {
      if (E.isLeft(outcome) && outcome.left.error === 'unavailable')
        log.error({ detail: outcome.left.detail }, 'the reload of the settings is not in the audit log')
    })
  }
