// What was refused lately, for an operator who looks for what keeps real clients out: docs/operate/observe.md.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ForOperator } from '../authorization/credential.js'
import type { InvalidRequest } from '../kernel/refusals.js'
import { type Parameters, decodeShortList } from '../managing/query.js'
import { type ObservedRefusals, refusalParameters, selectRefusals } from '../managing/refused.js'
import type { Answer } from '../ports/outside.js'
import type { Refusals } from '../ports/store.js'

/** How often each rule refused which software, the most often first; and the last refusals, the latest first. */
export const listRefusals =
  (ports: Refusals): ForOperator<'clients:read', (query: Parameters) => Answer<ObservedRefusals, InvalidRequest>> =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeShortList(refusalParameters, query)),
      TE.flatMap(({ filter, limit }) =>
        pipe(
          ports.listRefusals,
          TE.map((kept) => selectRefusals(kept, filter, limit)),
        ),
      ),
    )
