// Bodies other than client metadata: each is decoded as a whole, and all faults are reported.
import * as E from 'fp-ts/lib/Either.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type BrokenRule, type Fault, fault, reportedFaults } from './codec/fault.js'
import { isPlainObject } from './codec/json-object.js'
import { type RuleCodec, decode } from './codec/rule-codec.js'
import { type RuleId, ruleTexts } from './codec/rule-texts.js'
import { type InvalidRequest, invalidRequest } from './errors.js'

/** A body that is JSON, but no object. */
export const notAnObject: InvalidRequest = invalidRequest(ruleTexts['json-object'].text)

/** The decoded body, or the refusal with all of its faults. */
export const decodeBody =
  <A, Refusal>(codec: RuleCodec<A, RuleId>, refuse: (faults: RNEA.ReadonlyNonEmptyArray<Fault>) => Refusal) =>
  (body: unknown): E.Either<InvalidRequest | Refusal, A> => {
    if (!isPlainObject(body)) return E.left(notAnObject)
    return pipe(
      decode(codec)(body),
      E.mapLeft((rules) =>
        refuse(reportedFaults(RNEA.map(({ rule, path }: BrokenRule<RuleId>) => fault(rule)(...path))(rules))),
      ),
    )
  }
