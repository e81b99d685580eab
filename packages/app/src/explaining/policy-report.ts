import { Privileges, isNothing } from '@clientele/domain/authorization'
import { ruleTexts } from '@clientele/domain/kernel'
import { type JudgedClient, violatesPolicy } from '@clientele/domain/registration'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { PolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { jsonArrayElements, streamOf } from '../manage/ask.js'
import { manage } from '../manage/manage.js'
import type { RegistrationPolicy } from '@clientele/domain/policy'
import type { Output } from '../observing/log.js'
import { printable, printableDocument, printableJson } from '../observing/printable.js'
import { privilegeTexts } from './privilege-texts.js'

type Summary = { readonly clients: number; readonly non_compliant: number; readonly unreadable: number }

/** Called for each client; the second for those that violate the policy. */
type OnJudged = { readonly judged: () => void; readonly non_compliant: (client: JudgedClient) => void }
type Judged = AsyncIterable<JudgedClient | 'unreadable'>

const Judgement = t.intersection([
  t.type({
    client_id: t.string,
    faults: t.array(t.type({ pointer: t.string, rule: t.keyof(ruleTexts), description: t.string })),
    exceeding: Privileges,
  }),
  t.partial({ client_name: t.string }),
])
const Unreadable = t.type({ unreadable: t.literal(true) })

const tallied =
  ({ judged, non_compliant }: OnJudged) =>
  async (clients: Judged): Promise<Summary> => {
    let summary: Summary = { clients: 0, non_compliant: 0, unreadable: 0 }
    for await (const client of clients) {
      judged()
      if (client === 'unreadable') summary = { ...summary, unreadable: summary.unreadable + 1 }
      else {
        const isNonCompliant = violatesPolicy(client)
        if (isNonCompliant) non_compliant(client)
        summary = {
          ...summary,
          clients: summary.clients + 1,
          non_compliant: summary.non_compliant + (isNonCompliant ? 1 : 0),
        }
      }
    }
    return summary
  }

async function* reportedClients({ body }: Response): Judged {
  if (body === null) throw new Error('the answer has no body')
  for await (const client of jsonArrayElements(body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))))
    if (Judgement.is(client)) yield client
    else if (Unreadable.is(client)) yield 'unreadable'
    else throw new Error('the answer is no list of judgements')
}

/** Judges all stored clients by the policy, in constant memory: in the running service, or in this process. */
export const judgeClients = (
  config: Config,
  { json }: PolicyFile,
  onJudged: OnJudged,
): TE.TaskEither<string, Summary> =>
  manage(config, (ask, place) =>
    pipe(
      ask('/registration-policy/judgement', json),
      TE.flatMap(streamOf),
      TE.flatMap((answer) =>
        TE.tryCatch(
          () => tallied(onJudged)(reportedClients(answer)),
          () =>
            place === 'store'
              ? 'the store cannot go on with the list of clients: try again'
              : 'the running service broke off its list of clients: see its log, and try again',
        ),
      ),
    ),
  )

/** Takes the non-compliant clients, and prints their summary, then the first of them: in the memory of these. */
type PolicyReport = {
  readonly non_compliant: (client: JudgedClient) => void
  readonly end: (summary: Summary) => void
}

/** The number of clients that violate a rule, and the first of them. */
type Violated = { readonly rule: string; readonly clients: number; readonly examples: ReadonlyArray<string> }

const maxExamples = 3

/** The name under which clients that exceed their ceiling are counted; no rule of metadata has it. */
const overCeiling = 'ceiling'

const violatedBy = ({ faults, exceeding }: JudgedClient): ReadonlySet<string> =>
  new Set([...faults.map(({ rule }) => rule), ...(isNothing(exceeding) ? [] : [overCeiling])])

const countByRule = () => {
  const counts = new Map<string, Violated>()
  return {
    add: (client: JudgedClient): void => {
      for (const rule of violatedBy(client)) {
        const { clients, examples } = counts.get(rule) ?? { clients: 0, examples: [] }
        counts.set(rule, {
          rule,
          clients: clients + 1,
          examples: examples.length < maxExamples ? [...examples, client.client_id] : examples,
        })
      }
    },
    byCount: (): ReadonlyArray<Violated> => [...counts.values()].sort((one, other) => other.clients - one.clients),
  }
}

const clientText = ({ client_id, client_name, faults, exceeding }: JudgedClient): string =>
  [
    `${printable(client_id)}${client_name === undefined ? '' : ` ${printableJson(client_name)}`}`,
    ...faults.map(({ pointer, rule }) => `  ${printable(pointer)} ${rule}`),
    ...(isNothing(exceeding) ? [] : [`  beyond the ceilings: ${privilegeTexts(exceeding).join('; ')}`]),
  ].join('\n')

const ruleText = ({ rule, clients, examples }: Violated): string =>
  `  ${rule}: ${clients}, for example ${examples.map(printable).join(' ')}`

const notes = ({ maximum_clients }: RegistrationPolicy, { clients, unreadable }: Summary): ReadonlyArray<string> => [
  ...(unreadable > 0 ? [`${unreadable} more cannot be read and were not judged.`] : []),
  ...(maximum_clients !== undefined && clients >= maximum_clients
    ? [`No further client would be registered: maximum_clients is ${maximum_clients}.`]
    : []),
]

type Reported = {
  readonly summary: Summary
  readonly rules: ReadonlyArray<Violated>
  readonly first: ReadonlyArray<JudgedClient>
}

const textOf = (policy: RegistrationPolicy, { summary, rules, first }: Reported): string => {
  const left = summary.non_compliant - first.length
  return [
    `${summary.non_compliant} of ${summary.clients} clients would be refused.`,
    ...rules.map(ruleText),
    ...notes(policy, summary),
    ...first.map(clientText),
    ...(left > 0 ? [`${left} more are not listed: see --limit.`] : []),
    '',
  ].join('\n')
}

const jsonOf = ({ summary: { clients, non_compliant, unreadable }, rules, first }: Reported): string =>
  `${printableDocument({
    valid: true,
    clients,
    would_be_refused: non_compliant,
    unreadable,
    rules,
    non_compliant: first,
  })}\n`

export type ReportOptions = { readonly json: boolean; readonly limit: number }

export const policyReport = (
  output: Pick<Output, 'write'>,
  policy: RegistrationPolicy,
  { json, limit }: ReportOptions,
): PolicyReport => {
  const { add, byCount } = countByRule()
  const first: Array<JudgedClient> = []
  return {
    non_compliant: (client) => {
      add(client)
      if (first.length < limit) first.push(client)
    },
    end: (summary) => {
      const reported = { summary, rules: byCount(), first }
      output.write(json ? jsonOf(reported) : textOf(policy, reported))
    },
  }
}
