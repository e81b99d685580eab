import { type Refusal, invalidRequest } from '@clientele/domain/kernel'
import type { UndecryptableObject } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import { requiredTextMember } from '../http/text-member.js'
import type { KeyPorts } from '../ports.js'

const objectIn = requiredTextMember(
  'object',
  'The body must be a JSON object with the string object, a JWE in compact form',
)

const reasons: Readonly<Record<UndecryptableObject['reason'], string>> = {
  malformed: 'object must be a JWE in compact form (RFC 7516 §7.1) with UTF-8 inside',
  not_encrypted: 'object must be a JWE: a JWS needs no decryption',
  no_key:
    'No key opens the object: it must be encrypted with RSA-OAEP-256 to the key that the set publishes for use enc',
}

/** RFC 9101 §6.1: decrypts an object that a client encrypted to the published key. */
export const postDecrypt =
  ({ decrypter }: KeyPorts): OperatorHandler<'keys'> =>
  ({ body }, operator) =>
    answer(
      pipe(
        TE.fromEither<Refusal, string>(objectIn(body)),
        TE.flatMap((object) =>
          pipe(
            decrypter(operator).decryptObject(object),
            TE.mapLeft(({ reason }): Refusal => invalidRequest(reasons[reason])),
          ),
        ),
      ),
      (text) => okResponse({ text }),
    )
