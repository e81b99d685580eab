// The operator tokens in force, for the operator.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { managementScope } from '../authorization/management-privileges.js'
import type { OperatorToken } from '../authorization/operator-token.js'
import { type ForOperator, Issuer } from '../authorization/operator.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { OperatorTokens } from '../ports/operator-tokens.js'

/** A token for the operator; its id is its keyed digest, which authorizes nothing. */
export const OperatorTokenDescription = t.readonly(
  t.exact(
    t.intersection([
      t.type({
        id: t.string,
        scope: t.string,
        issued_at: EpochSeconds,
        expires_at: EpochSeconds,
        expires_in: t.number,
        issued_by: Issuer,
      }),
      t.partial({ name: t.string }),
    ]),
  ),
  'OperatorTokenDescription',
)
export type OperatorTokenDescription = t.TypeOf<typeof OperatorTokenDescription>

export type OperatorTokenList = {
  /** The first to expire first. */
  readonly tokens: ReadonlyArray<OperatorTokenDescription>
  /** Whether there are tokens beyond the list. */
  readonly more: boolean
}

/** The maximum number of tokens in a list. */
export const maxListedOperatorTokens = 1_000

const describeAt =
  (at: EpochSeconds) =>
  ({ hash, privileges, name, issued_at, expires_at, issued_by }: OperatorToken): OperatorTokenDescription => ({
    id: hash,
    ...(name === undefined ? {} : { name }),
    scope: managementScope(privileges),
    issued_at,
    expires_at,
    expires_in: expires_at - at,
    issued_by,
  })

export const listOperatorTokens =
  (
    ports: Pick<OperatorTokens, 'listOperatorTokens'> & Pick<CredentialGenerator, 'now'>,
  ): ForOperator<'operators', TE.TaskEither<Unavailable, OperatorTokenList>> =>
  () =>
    pipe(
      TE.fromIO(ports.now),
      TE.bindTo('at'),
      TE.bind('tokens', ({ at }) => ports.listOperatorTokens(at, maxListedOperatorTokens + 1)),
      TE.map(({ at, tokens }) => ({
        tokens: tokens.slice(0, maxListedOperatorTokens).map(describeAt(at)),
        more: tokens.length > maxListedOperatorTokens,
      })),
    )
