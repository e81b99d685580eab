// clientele refusals: what keeps clients out (docs/operate/observe.md).
import { decodeShortList, refusalParameters } from '@clientele/domain/managing'
import * as t from 'io-ts'
import { operate } from './manage.js'
import { counted, isoTime, printable } from '../text.js'
import { type Command, json, lines, listed, queryOf } from './command.js'
import { type Filters, filterOption, limitOption, listing, textsOf } from './filters.js'

const group = { door: t.string, rule: t.string, sender: t.string, software: t.string }
const Counted = t.type({ ...group, times: t.number, first_at: t.number, last_at: t.number })
const Refused = t.intersection([
  t.type({ ...group, at: t.number, rules: t.readonlyArray(t.string) }),
  t.partial({ client_id: t.string }),
])
const Answer = t.type({ counts: t.readonlyArray(Counted), refusals: t.readonlyArray(Refused) })

const texts = textsOf(refusalParameters)

const filter = filterOption(texts)

const filters: Filters = {
  options: [
    filter('door', 'DOOR', 'requests that this endpoint refused'),
    filter('rule', 'RULE', 'requests that were refused by this rule'),
    filter('sender', 'SENDER', 'requests with a credential of this kind'),
    filter('software', 'SOFTWARE', 'requests of this software'),
    filter('client', 'CLIENT_ID', 'requests about this client', 'client_id'),
  ],
  texts,
  decode: (query) => decodeShortList(refusalParameters, query),
}

const maxLimit = 500

const softwareText = (software: string): string => (software === '' ? 'unknown software' : printable(software))

const countText = ({ door, rule, sender, software, times, last_at }: t.TypeOf<typeof Counted>): string =>
  [
    counted(times, 'time', 'times'),
    printable(rule),
    `at ${printable(door)}`,
    softwareText(software),
    printable(sender),
    `last ${isoTime(last_at)}`,
  ].join('  ')

const refusalText = ({ at, door, rule, rules, sender, software, client_id }: t.TypeOf<typeof Refused>): string =>
  [
    isoTime(at),
    `at ${printable(door)}`,
    printable(rules.length === 0 ? rule : rules.join(' ')),
    softwareText(software),
    printable(sender),
    ...(client_id === undefined ? [] : [printable(client_id)]),
  ].join('  ')

const membersText =
  'members-… stands for a body without software_id: it is the same for requests that send the same members'

const noneText = 'Nothing like that was refused lately'

export const refusalsCommand: Command = {
  name: 'refusals',
  summary: 'show which requests were refused lately: how often by rule, endpoint and software, and the last ones',
  options: [...filters.options, limitOption('counts and refusals'), json],
  example: 'clientele refusals --door registration',
  run: listing(
    filters,
    maxLimit,
    (config, query, limit) =>
      operate(config, {
        path: `/manage/v1/refusals${queryOf({ ...query, limit: String(limit) })}`,
        codec: Answer,
      }),
    ({ counts, refusals }) =>
      counts.length === 0 && refusals.length === 0
        ? noneText
        : lines(
            listed(counts, countText, noneText),
            refusals.length > 0 && ['', 'The last ones:', ...refusals.map(refusalText)],
            [...counts, ...refusals].some(({ software }) => software.startsWith('members-')) && ['', membersText],
          ),
  ),
}
