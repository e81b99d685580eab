import { Privileges } from '@clientele/domain/authorization'
import { ruleTexts } from '@clientele/domain/kernel'
import { type JudgedClient, violatesPolicy } from '@clientele/domain/registration'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { PolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { jsonArrayElements } from './json-array-elements.js'
import { manage } from './manage.js'
import { streamOf } from './read-answer.js'

export type Summary = { readonly clients: number; readonly non_compliant: number; readonly unreadable: number }

/** Called for each client; the second for those that violate the policy. */
export type OnJudged = { readonly judged: () => void; readonly non_compliant: (client: JudgedClient) => void }
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
  manage(config, (ask) =>
    pipe(
      ask('/registration-policy/judgement', json),
      TE.flatMap(streamOf),
      TE.flatMap((answer) =>
        TE.tryCatch(
          () => tallied(onJudged)(reportedClients(answer)),
          () => 'the list of clients broke off: see the log of the service, and try again',
        ),
      ),
    ),
  )
