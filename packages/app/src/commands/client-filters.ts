// The options by which commands choose clients: those of GET /manage/v1/clients.
import { type Parameters, decodeClientQuery, parameterTexts } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandOption, Invocation } from './command.js'

type FilterOption = { readonly parameter: string; readonly option: CommandOption }

const filterOption = (name: string, parameter: string, value: string, description: string): FilterOption => ({
  parameter,
  option: { name, value, description: `${description}: ${parameterTexts[parameter] ?? ''}` },
})

const withValue: ReadonlyArray<FilterOption> = [
  filterOption(
    'search',
    'q',
    'TEXT',
    'clients with this part of their client_id, name, software_id, contacts or hosts',
  ),
  filterOption('state', 'state', 'STATE', 'clients in this state'),
  filterOption('registered-by', 'registered_by', 'AUTHORITY', 'clients of this authority'),
  filterOption('origin', 'origin', 'ORIGIN', 'clients that came this way'),
  filterOption('token', 'token', 'FINGERPRINT', 'the client that this token registered'),
  filterOption('statement-issuer', 'statement_issuer', 'ISSUER', 'clients with a software statement of this issuer'),
  filterOption('software-id', 'software_id', 'SOFTWARE_ID', 'clients with this software_id'),
  filterOption('since', 'since', 'TIME', 'clients registered at this time or later'),
  filterOption('idle-since', 'idle_since', 'TIME', 'clients registered before this time, and not used since'),
]

const pagingOptions: ReadonlyArray<FilterOption> = [
  filterOption('fields', 'fields', 'NAMES', 'only these members'),
  filterOption('after', 'after', 'NEXT', 'go on after a former list'),
]

const neverUsed = 'never-used'

export const filterOptions: ReadonlyArray<CommandOption> = [
  ...withValue.map(({ option }) => option),
  { name: neverUsed, description: 'clients that were never used' },
]

/** The filter of an invocation, by the names of the parameters. */
export const filterOf = ({ flags, switches }: Invocation): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...withValue.flatMap(({ parameter, option: { name } }) => {
      const value = flags[name]
      return value === undefined ? [] : [[parameter, value] as const]
    }),
    ...(switches.includes(neverUsed) ? [['never_used', 'true'] as const] : []),
  ])

/** What `clients list` has beside the filters. */
export const listOptions: ReadonlyArray<CommandOption> = pagingOptions.map(({ option }) => option)

export const asParameters = (filter: Readonly<Record<string, string>>): Parameters =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [value]]))

/** The options that have a value which they cannot have, all of them; undefined if there is none. */
export const filterFault = ({ flags }: Pick<Invocation, 'flags'>): string | undefined => {
  const faults = [...withValue, ...pagingOptions].flatMap(({ parameter, option: { name } }) => {
    const value = flags[name]
    const isValid = value === undefined || E.isRight(decodeClientQuery(asParameters({ [parameter]: value })))
    return isValid ? [] : [`--${name} must be ${parameterTexts[parameter] ?? 'valid'}`]
  })
  return faults.length === 0 ? undefined : faults.join('\n')
}
