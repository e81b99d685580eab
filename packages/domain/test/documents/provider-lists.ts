import { noPolicy } from '../../src/policy/policy.js'
import { type ProviderMetadata, describeProvider } from '../../src/operations/publish.js'
import { code, table } from './markdown.js'

const isList = (value: unknown): value is ReadonlyArray<string> => Array.isArray(value)

const lists = (metadata: ProviderMetadata): ReadonlyArray<readonly [name: string, values: string]> =>
  Object.entries(metadata).flatMap(([name, values]) =>
    isList(values) ? [[code(name), values.map(code).join(' ')] as const] : [],
  )

/** The lists of the provider metadata without a policy; lists of the same values share a row. */
export const providerLists = (): string => {
  const settings = { issuer: '', jwksUri: '', registrationEndpoint: '', policy: noPolicy, endSession: undefined }
  const all = lists(describeProvider(settings))
  const values = [...new Set(all.map(([, each]) => each))]
  const namesOf = (wanted: string) => all.filter(([, each]) => each === wanted).map(([name]) => name)
  return table(
    ['lists', 'values'],
    values.map((each) => [namesOf(each).join('<br>'), each]),
  )
}
