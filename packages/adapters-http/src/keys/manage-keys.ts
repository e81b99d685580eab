// What commands ask of the keys while the service runs; MASTER alone.
import type { InvalidRequest, Refusal } from '@clientele/domain'
import { authorizeMaster, invalidKeys, invalidRequest, isPlainObject } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import { jsonResponse } from '../http/response.js'
import { readPrivateJwkSet } from '../jose/private-jwk-set.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

// No other member is taken: a mistyped alg would mean every algorithm.
const textMember =
  (name: string, rule: string) =>
  (body: HttpRequest['body']): E.Either<InvalidRequest, string | undefined> =>
    pipe(
      body,
      E.flatMap((json) => (isPlainObject(json) ? E.right(json) : E.left(invalidRequest(rule)))),
      E.filterOrElse(
        (json) => Object.entries(json).every(([each, value]) => each === name && typeof value === 'string'),
        () => invalidRequest(rule),
      ),
      E.map((json) => (Object.hasOwn(json, name) ? String(json[name]) : undefined)),
    )

const algOf = textMember('alg', 'The body must be a JSON object with the string alg, or empty')
const kidOf = (body: HttpRequest['body']): E.Either<InvalidRequest, string> => {
  const rule = 'The body must be a JSON object with the string kid'
  return pipe(body, textMember('kid', rule), E.flatMap(E.fromNullable(invalidRequest(rule))))
}

type Operation = (request: HttpRequest) => TE.TaskEither<Refusal, object>

const forMaster = (settings: HttpSettings, ports: HttpPorts, operation: Operation): Handler => {
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      pipe(
        TE.fromEither<Refusal, unknown>(authorizeMaster(credentialOf(request))),
        TE.flatMap(() => operation(request)),
      ),
      (result) => jsonResponse(200, result),
    )
}

export const getKeys = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, () => ports.keys.listKeys)

export const postRollOver = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, string | undefined>(algOf(body)),
      TE.flatMap((alg) => ports.keys.rollOver({ ...(alg === undefined ? {} : { alg }), dryRun: dry })),
    )
  })

export const postCompromise = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, string>(kidOf(body)),
      TE.flatMap((kid) => ports.keys.compromise({ kid, dryRun: dry })),
    )
  })

export const postImport = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, unknown>(body),
      TE.flatMap((json) => pipe(readPrivateJwkSet(json), TE.mapLeft<ReadonlyArray<string>, Refusal>(invalidKeys))),
      TE.flatMap((keys) => ports.keys.importKeys({ keys, dryRun: dry })),
    )
  })
