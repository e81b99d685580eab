// clientele refusals: what keeps clients out (docs/operate/observe.md).
import { decodeShortList, refusalParameters } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { operate } from '../manage/manage.js'
import { counted, isoTime, printable } from '../text.js'
import { type Filters, filterFault, filterOf, filterOption } from './change-many.js'
import { type Command, type Refusal, answering, json, limitOf, limitOption, lines, listed, queryOf } from './command.js'

const group = { door: t.string, rule: t.string, sender: t.string, software: t.string }
const Counted = t.type({ ...group, times: t.number, first_at: t.number, last_at: t.number })
const Refused = t.intersection([
  t.type({ ...group, at: t.number, rules: t.readonlyArray(t.string) }),
  t.partial({ client_id: t.string }),
])
const Answer = t.type({ counts: t.readonlyArray(Counted), refusals: t.readonlyArray(Refused) })

const parameterOf = (option: string): string => (option === 'client' ? 'client_id' : option)

const texts: Readonly<Record<string, { readonly text: string } | undefined>> = refusalParameters
const faultOf = (parameter: string, value: string): string | undefined =>
  E.isRight(decodeShortList(refusalParameters, { [parameter]: [value] })) ? undefined : texts[parameter]?.text

const filter = filterOption((name) => texts[parameterOf(name)]?.text)

const filters: Filters = {
  withValue: [
    filter('door', 'DOOR', 'requests that this endpoint refused'),
    filter('rule', 'RULE', 'requests that were refused by this rule'),
    filter('sender', 'SENDER', 'requests with a credential of this kind'),
    filter('software', 'SOFTWARE', 'requests of this software'),
    filter('client', 'CLIENT_ID', 'requests about this client'),
  ],
  ofList: [],
  switches: [],
  parameterOf,
  faultOf,
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

const noneText = 'Nothing like that was refused lately'

export const refusalsCommand: Command = {
  name: 'refusals',
  summary: 'show which requests were refused lately: how often by rule, endpoint and software, and the last ones',
  options: [...filters.withValue, limitOption('counts and refusals'), json],
  example: 'clientele refusals --door registration',
  run: answering(
    (config, invocation) =>
      pipe(
        TE.fromEither(limitOf(invocation.flags['limit'], maxLimit)),
        TE.flatMap((limit): TE.TaskEither<Refusal, t.TypeOf<typeof Answer>> => {
          const fault = filterFault(filters, invocation)
          if (fault !== undefined) return TE.left({ usage: fault })
          const query = { ...filterOf(filters, invocation), limit: String(limit) }
          return operate(config, { path: `/manage/v1/refusals${queryOf(query)}`, codec: Answer })
        }),
      ),
    ({ counts, refusals }) =>
      counts.length === 0 && refusals.length === 0
        ? noneText
        : lines(
            listed(counts, countText, noneText),
            refusals.length > 0 && ['', 'The last ones:', ...refusals.map(refusalText)],
          ),
  ),
}
