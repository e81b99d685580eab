// What somebody has chosen and typed: all that the page shows follows from it.
import { registrationScopeValues } from '@clientele/domain'

export type State = {
  readonly mode: 'open' | 'managed'
  /** In open registration: the values of scope that anybody may set. */
  readonly openScope: string
  /** The ticked ones of the fixed scope values. */
  readonly ticked: ReadonlyArray<string>
  /** Values of scope, each of which the token permits as client-reg:scope:VALUE. */
  readonly scopeValues: string
  readonly body: string
  readonly baseUrl: string
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[ \t\r\n]+/).filter((word) => word !== '')

/** What anybody may set of scope; nothing while registration is managed. */
export const openScopeOf = ({ openScope }: State): ReadonlyArray<string> => wordsOf(openScope)

/** The scope of the initial access token; without any value there is no token. */
export const tokenScopeOf = ({ ticked, scopeValues }: State): string =>
  [
    ...registrationScopeValues.filter((value) => ticked.includes(value)),
    ...wordsOf(scopeValues).map((value) => `client-reg:scope:${value}`),
  ].join(' ')

export const withTicked = (state: State, values: ReadonlyArray<string>): State => ({
  ...state,
  ticked: registrationScopeValues.filter((value) => state.ticked.includes(value) || values.includes(value)),
})
