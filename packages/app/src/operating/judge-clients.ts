import { Privileges } from '@clientele/domain/authorization'
import { ruleTexts } from '@clientele/domain/kernel'
import {
  type JudgedClient,
  type RegistrationSettings,
  judgedClient,
  violatesPolicy,
} from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ServiceAccess, askService } from './ask-service.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import type { PolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { jsonArrayElements } from './json-array-elements.js'
import type { OpenedData } from '../data/open-data.js'
import { throughServiceOrStore } from './through-service-or-store.js'

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

async function* storedClients(settings: RegistrationSettings, { store }: OpenedData): Judged {
  const judge = judgedClient(settings)
  for await (const found of store.registry.streamClients())
    if (E.isRight(found)) yield judge(found.right)
    else if (found.left.error === 'unreadable_client') yield 'unreadable'
    else throw new Error('the store cannot go on', { cause: found.left.detail })
}

async function* reportedClients({ body }: Response): Judged {
  if (body === null) throw new Error('the answer has no body')
  for await (const client of jsonArrayElements(body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))))
    if (Judgement.is(client)) yield client
    else if (Unreadable.is(client)) yield 'unreadable'
    else throw new Error('the answer is no list of judgements')
}

const judgementOf = (access: ServiceAccess, policy: object): TE.TaskEither<string, Response> =>
  pipe(
    askService(access, '/registration-policy/judgement', policy),
    TE.filterOrElse(
      ({ status }) => status === 200,
      ({ status }) => `the running service answered ${status}`,
    ),
  )

/** Judges all stored clients by the policy, in constant memory: in the running service, or in this process. */
export const judgeClients = (
  config: Config,
  { json, policy }: PolicyFile,
  onJudged: OnJudged,
): TE.TaskEither<string, Summary> =>
  throughServiceOrStore(config, {
    service: (access) =>
      pipe(
        judgementOf(access, json),
        TE.flatMap((answer) =>
          TE.tryCatch(
            () => tallied(onJudged)(reportedClients(answer)),
            () => 'the running service broke off its list of clients: see its log, and try again',
          ),
        ),
      ),
    store: (data) =>
      TE.tryCatch(
        () =>
          tallied(onJudged)(
            storedClients({ ...registrationSettings(config, baseUrlAt(config, config.port)), policy }, data),
          ),
        () => 'the store cannot go on with the list of clients: try again',
      ),
  })
