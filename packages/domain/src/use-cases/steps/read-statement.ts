import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import { type ReadStatement, statementIn } from '../../client/software-statement.js'
import type { InvalidRequest } from '../../errors.js'
import type { RegistrationSettings } from '../../registration/registration-settings.js'
import type { SoftwareStatements } from '../../ports/software-statements.js'

/** RFC 7591 §2.3: the claims of the software statement in the body, if there is one. */
export const readStatement =
  (settings: Pick<RegistrationSettings, 'issuer' | 'registrationEndpoint'>, ports: SoftwareStatements) =>
  (body: E.Either<InvalidRequest, unknown>): T.Task<O.Option<ReadStatement>> =>
  async () => {
    const statement = E.isLeft(body) ? O.none : statementIn(body.right)
    if (O.isNone(statement)) return O.none
    const audiences = [settings.issuer, settings.registrationEndpoint]
    return O.some(await ports.readSoftwareStatement(statement.value, audiences)())
  }
