import type { ClientJudgement, JudgingSettings, RegisteredClient } from '@clientele/domain'
import { falls, judgeStoredClient, judgeStoredMetadata, noPrivileges } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ServiceAccess } from './ask-service.js'
import { askService } from './ask-service.js'
import type { Config } from './config/settings.js'
import { jsonArrayElements } from './json-array-elements.js'
import type { OpenedData } from './open-data.js'
import { throughServiceOrStore } from './through-service-or-store.js'

export type JudgedClient = ClientJudgement & { readonly client_id: string; readonly client_name?: string | undefined }

export type Tally = {
  readonly clients: number
  readonly falling: number
  readonly unreadable: number
  /** False when a running service was asked: it does not tell who registered a client. */
  readonly ceilingsJudged: boolean
}

type OnFalling = (client: JudgedClient) => void
type Judged = AsyncIterable<JudgedClient | 'unreadable'>

const ListedClient = t.intersection([
  t.type({ client_id: t.string }),
  t.partial({ client_name: t.string, client_secret: t.string }),
  t.UnknownRecord,
])

const tallied =
  (onFalling: OnFalling, ceilingsJudged: boolean) =>
  async (clients: Judged): Promise<Tally> => {
    let tally: Tally = { clients: 0, falling: 0, unreadable: 0, ceilingsJudged }
    for await (const client of clients)
      if (client === 'unreadable') tally = { ...tally, unreadable: tally.unreadable + 1 }
      else {
        const fallen = falls(client)
        if (fallen) onFalling(client)
        tally = { ...tally, clients: tally.clients + 1, falling: tally.falling + (fallen ? 1 : 0) }
      }
    return tally
  }

const bare = ({
  client_id,
  metadata: { client_name },
}: RegisteredClient): Omit<JudgedClient, keyof ClientJudgement> => ({
  client_id,
  client_name,
})

async function* storedClients(settings: JudgingSettings, { store }: OpenedData): Judged {
  const judge = judgeStoredClient(settings)
  for await (const found of store.registry.streamClients())
    if (E.isRight(found)) yield { ...bare(found.right), ...judge(found.right) }
    else if (found.left.error === 'unreadable_client') yield 'unreadable'
    else throw new Error('the store cannot go on', { cause: found.left.detail })
}

async function* textOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
}

async function* listedClients(settings: JudgingSettings, { body }: Response): Judged {
  const faultsOf = judgeStoredMetadata(settings)
  if (body === null) throw new Error('the answer has no body')
  for await (const client of jsonArrayElements(textOf(body))) {
    if (!ListedClient.is(client)) throw new Error('the answer is no list of clients')
    const { client_id, client_name, client_secret } = client
    yield { client_id, client_name, faults: faultsOf(client, client_secret?.length ?? 0), beyond: noPrivileges }
  }
}

const listOf = (access: ServiceAccess): TE.TaskEither<string, Response> =>
  pipe(
    askService(access, '/clients'),
    TE.filterOrElse(
      ({ status }) => status === 200,
      ({ status }) => `the running service answered ${status}`,
    ),
  )

/** Every stored client under the settings, in constant memory, through the service when it runs. */
export const judgeClients = (
  config: Config,
  settings: JudgingSettings,
  onFalling: OnFalling,
): TE.TaskEither<string, Tally> =>
  throughServiceOrStore(config, {
    service: (access) =>
      pipe(
        listOf(access),
        TE.flatMap((answer) =>
          TE.tryCatch(
            () => tallied(onFalling, false)(listedClients(settings, answer)),
            () => 'the running service broke off its list of clients: see its log, and try again',
          ),
        ),
      ),
    store: (data) =>
      TE.tryCatch(
        () => tallied(onFalling, true)(storedClients(settings, data)),
        () => 'the store cannot go on with the list of clients: try again',
      ),
  })
