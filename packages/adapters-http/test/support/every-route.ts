// All routes of both ports, with every port that makes one, over the shell of web standards.
import type { EncryptionKeyList } from '@clientele/domain/ports'
import { inMemoryPorts } from '@clientele/adapters-memory/host'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type FetchHandler,
  createManagementHandler,
  createPublicHandler,
  settingsWithDefaults,
} from '../../src/fetch.js'
import type { Route } from '../../src/routes/route.js'
import { managementRoutes, publicRoutes } from '../../src/routes.js'
import { answerCheck } from './answers.js'

const baseUrl = 'https://op.example'
export const master = 'the-master-token-of-this-test-0123456789'
export const previous = 'the-previous-master-token-of-this-test-01'

type Sent = { readonly method?: string; readonly token?: string; readonly json?: unknown }

export const createWorld = () => {
  const ports = inMemoryPorts({
    renderPage: ({ kind }) => ({ html: kind, styleHash: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }),
  })
  const counted = { reloads: 0, seals: 0 }
  const described: EncryptionKeyList = {
    seals_with: 'a',
    opens_with: ['a'],
    kept_in: 'file',
    values: 0,
    sealing_otherwise: [],
  }
  const change = TE.fromIO(() => ((counted.seals += 1), described))
  const encryptionKeys = {
    listEncryptionKeys: TE.right(described),
    addEncryptionKey: change,
    dropEncryptionKeys: change,
  }
  const all = {
    ...ports,
    reload: () => TE.fromIO(() => ((counted.reloads += 1), { reloaded: [], waiting: [] })),
    metrics: () => () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    auditLog: {
      listAudit: () => () => TE.right({ rows: [] }),
      verifyAudit: () => () =>
        TE.right({ findings: [], checkpoints: 0, rows: 0, waiting: 0, last: null, latest: 0, contains: null }),
    },
    encryption: {
      sealValues: () => () => TE.fromIO(() => ((counted.seals += 1), { values: 0, sealed: 0, unreadable: 0 })),
      keys: () => encryptionKeys,
    },
  }
  const settings = {
    ...settingsWithDefaults(baseUrl, ports.service.hashToken(master)),
    masterToken: [ports.service.hashToken(master), ports.service.hashToken(previous)],
    consoleUrl: `${baseUrl}/console`,
  }
  const ofCommands = { ...settings, operatorAlone: 'socket' as const }
  const handlers = {
    public: createPublicHandler(settings, all, { withOperators: true }),
    management: createManagementHandler(settings, all),
    commands: createManagementHandler(ofCommands, all),
  }
  const routes = {
    public: publicRoutes(settings, all, { withOperators: true }),
    management: managementRoutes(settings, all),
    commands: managementRoutes(ofCommands, all),
  }
  const ask = async (handler: FetchHandler, path: string, { method = 'GET', token, json }: Sent): Promise<Response> => {
    const answer = await handler(
      new Request(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    )
    const type = answer.headers.get('Content-Type') ?? undefined
    checkAnswer(method, path, { status: answer.status, type, text: await answer.clone().text() })
    return answer
  }
  return { ...ports, counted, settings, handlers, routes, ask }
}

let check: ReturnType<typeof answerCheck> | undefined

/** Every answer of a test over the wire is one that the OpenAPI document of all routes describes. */
export const checkAnswer: ReturnType<typeof answerCheck> = (...answer) => {
  if (check === undefined) {
    const { settings, routes } = createWorld()
    check = answerCheck(settings, [...routes.public, ...routes.management])
  }
  check(...answer)
}

export type World = ReturnType<typeof createWorld>

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** The routes that operators may request, by method and path. */
export const operatorRoutes = (): ReadonlyArray<string> => {
  const { routes } = createWorld()
  const named = [...routes.public, ...routes.management].filter(({ needs }) => needs !== undefined).map(nameOf)
  return [...new Set(named)].sort()
}
