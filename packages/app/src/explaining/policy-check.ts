// clientele policy check: what is wrong with a registration policy, and which stored clients it would refuse.
import { Privileges, isNothing } from '@clientele/domain/authorization'
import { ClientIdUrl } from '@clientele/domain/client'
import { ruleTexts } from '@clientele/domain/kernel'
import type { ClientEntries } from '@clientele/domain/policy'
import { type JudgedClient, violatesPolicy } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  type Command,
  type ExitStatus,
  type Invocation,
  type Terminal,
  json,
  print,
  refuse,
  withSettings,
  withProgress,
} from '../cli/command.js'
import { type PolicyFile, readPolicyFile } from '../config/registration.js'
import type { Config } from '../config/settings.js'
import { UnreadableClient, answeredElements } from '../importing/read-records.js'
import { manage } from '../cli/manage.js'
import { streamOf } from '../cli/ask.js'
import { printable, printableJson } from '../text.js'
import { privilegeTexts } from './explanations.js'

const Judgement = t.intersection([
  t.type({
    client_id: t.string,
    faults: t.array(t.type({ pointer: t.string, rule: t.keyof(ruleTexts), description: t.string })),
    exceeding: Privileges,
  }),
  t.partial({ client_name: t.string, beyond_entry: t.array(t.string) }),
])

/** The number of clients that violate a rule, and the first of them. */
type Violated = { readonly rule: string; clients: number; readonly examples: Array<string> }

/** What became of all clients, in the memory of the rules and of the first clients that are refused. */
type Judged = {
  clients: number
  refused: number
  unreadable: number
  readonly rules: Map<string, Violated>
  readonly first: Array<JudgedClient>
  /** The client_ids of entries of the policy for which no client was found. */
  readonly unmatched: Set<string>
}

const maxExamples = 3

/** The name under which clients that exceed their ceiling are counted; no rule of metadata has it. */
const overCeiling = 'ceiling'
/** The same for those that exceed the entry about them. */
const overEntry = 'entry'

const countRefused = ({ rules }: Judged, { client_id, faults, exceeding, beyond_entry = [] }: JudgedClient): void => {
  const violated = new Set([
    ...faults.map(({ rule }) => rule),
    ...(isNothing(exceeding) ? [] : [overCeiling]),
    ...(beyond_entry.length === 0 ? [] : [overEntry]),
  ])
  for (const rule of violated) {
    const counted = rules.get(rule) ?? { rule, clients: 0, examples: [] }
    counted.clients += 1
    if (counted.examples.length < maxExamples) counted.examples.push(client_id)
    rules.set(rule, counted)
  }
}

const judgedOf = async (
  answer: Response,
  entries: ClientEntries,
  limit: number,
  onClient: () => void,
): Promise<Judged> => {
  const unmatched = new Set<string>(entries.map(({ client_id }) => client_id))
  const judged: Judged = { clients: 0, refused: 0, unreadable: 0, rules: new Map(), first: [], unmatched }
  for await (const client of answeredElements(answer)) {
    onClient()
    if (Judgement.is(client)) {
      judged.clients += 1
      unmatched.delete(client.client_id)
      if (!violatesPolicy(client)) continue
      judged.refused += 1
      countRefused(judged, client)
      if (judged.first.length < limit) judged.first.push(client)
    } else if (UnreadableClient.is(client)) {
      judged.unreadable += 1
      unmatched.delete(client.client_id)
    } else throw new Error('the answer is no list of judgements')
  }
  return judged
}

/** Judges all stored clients by the policy: in the running service, or in this process. */
const judgeClients = (
  config: Config,
  { policy, json: sent }: PolicyFile,
  limit: number,
  onClient: () => void,
): TE.TaskEither<string, Judged> =>
  manage(config, (ask, place) =>
    pipe(
      ask('/registration-policy/judgement', sent),
      TE.flatMap(streamOf),
      TE.flatMap((answer) =>
        TE.tryCatch(
          () => judgedOf(answer, policy.clients ?? [], limit, onClient),
          () =>
            place === 'store'
              ? 'the store cannot go on with the list of clients: try again'
              : 'the running service broke off its list of clients: see its log, and try again',
        ),
      ),
    ),
  )

const byCount = ({ rules }: Judged): ReadonlyArray<Violated> =>
  [...rules.values()].sort((one, other) => other.clients - one.clients)

const clientText = ({ client_id, client_name, faults, exceeding, beyond_entry = [] }: JudgedClient): string =>
  [
    `${printable(client_id)}${client_name === undefined ? '' : ` ${printableJson(client_name)}`}`,
    ...faults.map(({ pointer, rule }) => `  ${printable(pointer)} ${rule}`),
    ...(isNothing(exceeding) ? [] : [`  beyond the ceilings: ${privilegeTexts(exceeding).join('; ')}`]),
    ...(beyond_entry.length === 0
      ? []
      : [printable(`  beyond its entry in clients: scope: ${beyond_entry.join(' ')}`)]),
  ].join('\n')

const unmatchedText = (client_id: string): string =>
  ClientIdUrl.is(client_id)
    ? `Warning: no client has the client_id ${client_id} of an entry in clients: an end-user consents to its document first.`
    : `Warning: no client has the client_id ${printable(client_id)} of an entry in clients: correct it, or write the complete URL of a document.`

const reportText = (judged: Judged, maximum: number | undefined): string => {
  const { clients, refused, unreadable, first, unmatched } = judged
  const left = refused - first.length
  return [
    `${refused} of ${clients} clients would be refused.`,
    ...byCount(judged).map(
      (rule) => `  ${rule.rule}: ${rule.clients}, for example ${rule.examples.map(printable).join(' ')}`,
    ),
    ...(unreadable > 0 ? [`${unreadable} more cannot be read and were not judged.`] : []),
    ...(maximum !== undefined && clients >= maximum
      ? [`No further client would be registered: maximum_clients is ${maximum}.`]
      : []),
    ...[...unmatched].map(unmatchedText),
    ...first.map(clientText),
    ...(left > 0 ? [`${left} more are not listed: see --limit.`] : []),
  ].join('\n')
}

const documentOf = (judged: Judged) => ({
  valid: true,
  clients: judged.clients,
  would_be_refused: judged.refused,
  unreadable: judged.unreadable,
  rules: byCount(judged),
  entries_without_client: [...judged.unmatched],
  non_compliant: judged.first,
})

const check = async (
  config: Config,
  file: PolicyFile,
  terminal: Terminal,
  invocation: Invocation,
  limit: number,
): Promise<ExitStatus> => {
  const judged = await withProgress(terminal, (show) => {
    let count = 0
    return judgeClients(config, file, limit, () => show('Judging', (count += 1)))
  })()
  if (E.isLeft(judged))
    return refuse(terminal, `the policy is valid, but not every client was judged: ${judged.left}`, 1)
  print(terminal, invocation, documentOf(judged.right), () => reportText(judged.right, file.policy.maximum_clients))
  return judged.right.refused > 0 ? 1 : 0
}

const invalid = (terminal: Terminal, path: string, faults: ReadonlyArray<string>, asJson: boolean): ExitStatus => {
  if (asJson) terminal.output.write(`${JSON.stringify({ valid: false, faults: faults.map(printable) }, null, 2)}\n`)
  else terminal.errors.write(faults.map((fault) => `${printable(`${path}: ${fault}`)}\n`).join(''))
  return 1
}

const defaultLimit = 20
const maxLimit = 10_000

export const policyCheckCommand: Command = {
  name: 'policy check',
  summary: 'say what is wrong with a registration policy, and which stored clients it would refuse; changes nothing',
  operand: {
    name: 'FILE',
    description: 'the policy; docs/operate/security.md#registration-policy says what it may hold',
  },
  options: [
    {
      name: 'limit',
      value: 'COUNT',
      description: `list at most so many of the refused clients after the summary; ${defaultLimit} by default, ${maxLimit} at most`,
    },
    json,
  ],
  example: 'clientele policy check policy.json --limit 5',
  run: withSettings(async ({ config }, terminal, invocation) => {
    const { operand: path = '', switches, flags } = invocation
    const limit = /^\d{1,5}$/.test(flags['limit'] ?? `${defaultLimit}`)
      ? Number(flags['limit'] ?? defaultLimit)
      : Infinity
    if (limit > maxLimit) return refuse(terminal, `--limit must be a whole number up to ${maxLimit}`, 2)
    const file = readPolicyFile(path)
    return E.isLeft(file)
      ? invalid(terminal, path, file.left, switches.includes('json'))
      : check(config, file.right, terminal, invocation, limit)
  }),
}
