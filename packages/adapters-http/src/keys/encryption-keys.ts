// The encryption keys of stored values; no answer shows a key.
import { type InvalidRequest, type Refusal, invalidRequest, isPlainObject } from '@clientele/domain/kernel'
import type { SealingStep } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type OperatorHandler, answer } from '../http/handler.js'
import type { RequestBody } from '../http/request.js'
import { okResponse } from '../http/response.js'
import type { EncryptionPorts } from '../ports.js'

const Step = t.partial({ after: t.string, dry_run: t.boolean })
const members = Object.keys(Step.props)

const stepRule = invalidRequest(
  'The body must be a JSON object with the string after, next of the step before, and the truth value dry_run; both may be left out',
)

// Unknown members are refused, because a misspelled one would begin anew, or write.
const stepIn = (body: RequestBody): E.Either<InvalidRequest, SealingStep> =>
  pipe(
    body,
    E.filterOrElse(
      (json): json is t.TypeOf<typeof Step> =>
        isPlainObject(json) && Step.is(json) && Object.keys(json).every((name) => members.includes(name)),
      () => stepRule,
    ),
    E.map(({ after, dry_run }) => ({ after, dryRun: dry_run === true })),
  )

/** Seals some stored values with the present encryption key; `next` of the answer is where another request continues. */
export const postReSeal =
  ({ sealValues }: EncryptionPorts): OperatorHandler<'keys'> =>
  (request, operator) =>
    answer(
      pipe(TE.fromEither<Refusal, SealingStep>(stepIn(request.body)), TE.flatMap(sealValues(operator, request))),
      okResponse,
    )

type KeyOperation = 'listEncryptionKeys' | 'addEncryptionKey' | 'dropEncryptionKeys'

/** One operation on the keys, which takes no input. */
export const encryptionKeyHandler =
  (operation: KeyOperation) =>
  ({ keys }: EncryptionPorts): OperatorHandler<'keys'> =>
  (request, operator) =>
    answer<unknown>(keys(operator, request)[operation], okResponse)
