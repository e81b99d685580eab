// The choices and texts of the user: the source of everything that the page shows.
import { registrationScopeValues } from '@clientele/domain/authorization'

export type State = {
  readonly mode: 'open' | 'managed'
  /** In open registration: the scope values that clients may set without a token. */
  readonly openScope: string
  /** The selected fixed scope values. */
  readonly ticked: ReadonlyArray<string>
  /** Scope values; the token permits each as client-reg:scope:VALUE. */
  readonly scopeValues: string
  readonly body: string
  /** That of the document in body; empty where body is the body of a registration. */
  readonly url: string
  readonly baseUrl: string
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[ \t\r\n]+/).filter((word) => word !== '')

/** The scope values that clients may set without a token; empty while registration is managed. */
export const openScopeOf = ({ openScope }: State): ReadonlyArray<string> => wordsOf(openScope)

/** Undefined where body is the body of a registration. */
export const documentUrlOf = ({ url }: State): string | undefined => (url.trim() === '' ? undefined : url.trim())

const scopeValuePrefix = 'client-reg:scope:'

/** The scope of the initial access token; empty without a token. */
export const tokenScopeOf = ({ ticked, scopeValues }: State): string =>
  [
    ...registrationScopeValues.filter((value) => ticked.includes(value)),
    ...wordsOf(scopeValues).map((value) => `${scopeValuePrefix}${value}`),
  ].join(' ')

export const withTicked = (state: State, values: ReadonlyArray<string>): State => ({
  ...state,
  ticked: registrationScopeValues.filter((value) => state.ticked.includes(value) || values.includes(value)),
  scopeValues: [
    ...wordsOf(state.scopeValues),
    ...values.flatMap((value) => (value.startsWith(scopeValuePrefix) ? [value.slice(scopeValuePrefix.length)] : [])),
  ].join(' '),
})

// The state as the fields of the form, and back.

export type Fields = ReadonlyArray<readonly [name: string, value: string]>

export const fieldsOf = ({ mode, openScope, ticked, scopeValues, body, url, baseUrl }: State): Fields => [
  ['mode', mode],
  ['openScope', openScope],
  ...ticked.map((value) => ['ticked', value] as const),
  ['scopeValues', scopeValues],
  ['body', body],
  ['url', url],
  ['baseUrl', baseUrl],
]

/** Total: a missing field is empty, and unknown ones are ignored. */
export const stateOfFields = (fields: Fields): State => {
  const all = (wanted: string): ReadonlyArray<string> =>
    fields.filter(([name]) => name === wanted).map(([, value]) => value)
  const only = (wanted: string): string => all(wanted)[0] ?? ''
  return {
    mode: only('mode') === 'open' ? 'open' : 'managed',
    openScope: only('openScope'),
    ticked: registrationScopeValues.filter((value) => all('ticked').includes(value)),
    scopeValues: only('scopeValues'),
    body: only('body'),
    url: only('url'),
    baseUrl: only('baseUrl'),
  }
}
