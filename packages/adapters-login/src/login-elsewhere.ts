// A login at another party: what the browser keeps of it, and the time within which the party must act.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import {
  type AuthenticatedEndUser,
  type LoginRefused,
  LoginState,
  acceptAuthTime,
  acceptReturn,
  loginRefused,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type LoginRequest = {
  readonly interaction: string
  /** The parameter `state` with which the browser must return. */
  readonly handle: string
  readonly redirectUri: string
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
  /** OpenID Core §3.1.2.1 */
  readonly maxAge: number | undefined
  /** Whether the party is to ask the end-user for another account. */
  readonly otherAccount: boolean
}

export type ReturnedLogin = {
  readonly handle: string
  readonly interaction: string
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
  /** The text of `begin`. */
  readonly memo: string
}

type Outcome<A> = TE.TaskEither<LoginRefused | Unavailable, A>

/** A way in which another party authenticates end-users; its state is what `createLoginElsewhere` seals. */
export type LoginMethod = {
  /** Names the party: a login that began at another one is refused. */
  readonly name: string
  /** Whether the party can be asked to let the end-user choose an account. */
  readonly offersAccounts: boolean
  /** `memo` is returned to `complete`. */
  readonly begin: (request: LoginRequest) => Outcome<{ readonly location: string; readonly memo: string }>
  readonly complete: (returned: ReturnedLogin) => Outcome<AuthenticatedEndUser>
}

export type LoginPorts = {
  readonly sealText: (plain: string) => T.Task<string>
  /** None for any text that this service did not seal. */
  readonly openText: (value: string) => T.Task<O.Option<string>>
  readonly now: () => EpochSeconds
  /** An unguessable, unique text of letters and digits. */
  readonly identifier: () => string
}

/** The result within so many milliseconds. A function of the host may throw, reject, or never settle. */
const within =
  <A>(timeLimit: number, work: () => Outcome<A>): Outcome<A> =>
  async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<E.Either<LoginRefused, A>>((resolve) => {
      const refusal = E.left(loginRefused(`the login method did not answer within ${timeLimit} ms`))
      timer = setTimeout(() => resolve(refusal), timeLimit)
    })
    try {
      return await Promise.race([work()(), late])
    } catch (error) {
      // The message of an error could contain what another party sent.
      const name = error instanceof Error ? error.name : 'it threw no error'
      return E.left(loginRefused(`the login method failed: ${name}`))
    } finally {
      clearTimeout(timer)
    }
  }

const isWebUrl = (location: string): boolean => URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)

const stateIn = (text: O.Option<string>): E.Either<LoginRefused, LoginState> =>
  pipe(
    text,
    O.flatMap((json) => O.tryCatch((): unknown => JSON.parse(json))),
    O.flatMap((json) => O.fromEither(LoginState.decode(json))),
    E.fromOption(() => loginRefused('this browser began no login here, or more than a day ago')),
  )

type Asked = Parameters<LoginElsewhere['begin']>[0]

// OpenID Core §3.1.2.1: a party that does not know prompt=select_account authenticates the end-user anew, who so chooses the
// account.
const askedOf = (
  { offersAccounts }: LoginMethod,
  { maxAge, otherAccount = false, selectAccount = false }: Asked,
): Pick<LoginRequest, 'maxAge' | 'otherAccount'> =>
  selectAccount && !offersAccounts
    ? { maxAge: 0, otherAccount }
    : { maxAge, otherAccount: otherAccount || selectAccount }

/**
 * A login at another party. The browser alone keeps the state, sealed, so that any instance completes it; it is of one
 * interaction and one browser, and expires. The time limit is in milliseconds, for each step of the method.
 */
export const createLoginElsewhere = (
  method: LoginMethod,
  { sealText, openText, now, identifier }: LoginPorts,
  timeLimit = 20_000,
): LoginElsewhere => ({
  begin: (asked) => {
    const { interaction, redirectUri, loginHint, uiLocales } = asked
    const { maxAge, otherAccount } = askedOf(method, asked)
    const handle = identifier()
    const request = { interaction, handle, redirectUri, loginHint, uiLocales, maxAge, otherAccount }
    return pipe(
      within(timeLimit, () => method.begin(request)),
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
  },
  complete: ({ state: sealed, parameters, redirectUri }) =>
    pipe(
      TE.fromTask(openText(sealed)),
      TE.flatMapEither(stateIn),
      TE.flatMapEither((state) => acceptReturn(state, { method: method.name, handle: parameters['state'], at: now() })),
      TE.flatMap((state) =>
        pipe(
          within(timeLimit, () => method.complete({ ...state, parameters, redirectUri })),
          TE.flatMapEither(acceptAuthTime(state)),
          TE.map((endUser) => ({ interaction: state.interaction, endUser })),
        ),
      ),
    ),
})
