import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InvalidRequest } from '../kernel/refusals.js'
import type { Answer, Clock } from '../ports/outside.js'
import type { SealedAnew, Sealing, SealingStep } from '../ports/store.js'
import { type AuditWriting, type ByRequest, auditedBy, writeAudited } from './audit.js'

// The operator seals stored values with the present encryption key, step by step.

/** One step. The first one has an audit row: the others only continue it. */
export const sealValues =
  (
    ports: Sealing & Clock & AuditWriting,
  ): ByRequest<'keys', (step: SealingStep) => Answer<SealedAnew, InvalidRequest>> =>
  (operator, request) =>
  (step) => {
    const begins = step.after === undefined && !step.dryRun
    const row = begins ? auditedBy(ports, operator, request)(ports.now(), 'sealing_begun') : undefined
    return pipe(
      writeAudited(ports, row),
      TE.flatMap(() => ports.sealAnew(operator)(step)),
    )
  }
