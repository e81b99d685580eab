import type { EpochSeconds } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import { type LoginRefused, LoginState, acceptAuthTime, acceptReturn, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { LoginMethod } from './login-method.js'
import { withTimeLimit } from './time-limit.js'

export type LoginPorts = {
  readonly sealText: (plain: string) => T.Task<string>
  /** None for any text that this service did not seal. */
  readonly openText: (value: string) => T.Task<O.Option<string>>
  readonly now: () => EpochSeconds
  /** An unguessable, unique text of letters and digits. */
  readonly identifier: () => string
}

/** Milliseconds for each step of a login method. */
const defaultTimeLimit = 20_000

const stateOf = (text: O.Option<string>): E.Either<LoginRefused, LoginState> =>
  pipe(
    text,
    O.flatMap((json) => O.tryCatch((): unknown => JSON.parse(json))),
    O.flatMap((json) => O.fromEither(LoginState.decode(json))),
    E.fromOption(() => loginRefused('this browser began no login here, or more than a day ago')),
  )

type InTime = ReturnType<typeof withTimeLimit>

const isWebUrl = (location: string): boolean => URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)

const beginWith =
  (method: LoginMethod, { sealText, now, identifier }: LoginPorts, inTime: InTime): LoginElsewhere['begin'] =>
  ({ interaction, redirectUri, loginHint, uiLocales, maxAge, otherAccount = false }) => {
    const handle = identifier()
    const request = { interaction, handle, redirectUri, loginHint, uiLocales, maxAge, otherAccount }
    return pipe(
      inTime(() => method.begin(request)),
      TE.filterOrElseW(
        ({ location }) => isWebUrl(location),
        () => loginRefused('the login method gave no http or https URL'),
      ),
      TE.flatMap(({ location, memo }) => {
        const state = { method: method.name, interaction, handle, memo, max_age: maxAge ?? null, begun_at: now() }
        return pipe(
          TE.fromTask(sealText(JSON.stringify(LoginState.encode(state)))),
          TE.map((sealed) => ({ location, handle, state: sealed })),
        )
      }),
    )
  }

const completeWith =
  (method: LoginMethod, { openText, now }: LoginPorts, inTime: InTime): LoginElsewhere['complete'] =>
  ({ state: sealed, parameters, redirectUri }) =>
    pipe(
      TE.fromTask(openText(sealed)),
      TE.flatMapEither(stateOf),
      TE.flatMapEither((state) => acceptReturn(state, { method: method.name, handle: parameters['state'], at: now() })),
      TE.flatMap((state) =>
        pipe(
          inTime(() => method.complete({ ...state, parameters, redirectUri })),
          TE.flatMapEither(acceptAuthTime(state)),
          TE.map((endUser) => ({ interaction: state.interaction, endUser })),
        ),
      ),
    )

/**
 * A login at another party. The browser alone keeps the state, sealed, so that any instance completes it; it is of one
 * interaction and one browser, and expires.
 */
export const createLoginElsewhere = (
  method: LoginMethod,
  ports: LoginPorts,
  timeLimit = defaultTimeLimit,
): LoginElsewhere => {
  const inTime = withTimeLimit(timeLimit)
  return { kind: 'elsewhere', begin: beginWith(method, ports, inTime), complete: completeWith(method, ports, inTime) }
}
