// The state as the fields of the form, and back.
import { registrationScopeValues } from '@clientele/domain/authorization'
import type { State } from './state.js'

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
