import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ReadStatement, statementIn } from '../../client/software-statement.js'
import type { InvalidRequest } from '../../errors.js'
import type { RegistrationSettings } from '../../registration/registration-settings.js'
import type { SoftwareStatements } from '../../ports/software-statements.js'

const noStatement: T.Task<O.Option<ReadStatement>> = T.of(O.none)

/** RFC 7591 §2.3: the claims of the software statement in the body, if there is one. */
export const readStatement =
  (settings: Pick<RegistrationSettings, 'issuer' | 'registrationEndpoint'>, ports: SoftwareStatements) =>
  (body: E.Either<InvalidRequest, unknown>): T.Task<O.Option<ReadStatement>> =>
    pipe(
      E.isLeft(body) ? O.none : statementIn(body.right),
      O.match(
        () => noStatement,
        (statement) =>
          pipe(ports.readSoftwareStatement(statement, [settings.issuer, settings.registrationEndpoint]), T.map(O.some)),
      ),
    )
