import { type InvalidRequest, invalidRequest, isPlainObject } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestBody } from './request.js'

// Unknown members are refused, because a misspelled one would select everything.
/** The optional text member of a body. */
export const textMember =
  (name: string, rule: string) =>
  (body: RequestBody): E.Either<InvalidRequest, string | undefined> =>
    pipe(
      body,
      E.flatMap((json) => (isPlainObject(json) ? E.right(json) : E.left(invalidRequest(rule)))),
      E.filterOrElse(
        (json) => Object.entries(json).every(([each, value]) => each === name && typeof value === 'string'),
        () => invalidRequest(rule),
      ),
      E.map((json) => (Object.hasOwn(json, name) ? String(json[name]) : undefined)),
    )

/** The required text member of a body. */
export const requiredTextMember = (
  name: string,
  rule: string,
): ((body: RequestBody) => E.Either<InvalidRequest, string>) => {
  const member = textMember(name, rule)
  return (body) => pipe(member(body), E.flatMap(E.fromNullable(invalidRequest(rule))))
}
