// A service with a management port, and what its audit log says.
import type { AuditEntry } from '@clientele/domain/audit'
import { issuableManagementPrivileges } from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Service } from '../../../src/compose.js'
import { loadConfig } from '../../../src/config/load-config.js'
import { readFile } from '../../../src/config/files.js'
import { started } from '../../cli/run.js'
import { type Answer, type Sent, send } from '../../support/requests.js'

export type World = {
  readonly service: Service
  readonly master: string
  readonly dataDir: string
  readonly operator: string
  /** Every token, secret and cookie of any answer. */
  readonly secrets: Set<string>
}

export type Port = 'http' | 'management'

export const redirect_uris = ['https://rp.example/callback']

const secretMembers = ['access_token', 'ticket', 'client_secret', 'registration_access_token', 'set_cookie']

export const asks =
  ({ service, secrets }: World) =>
  async (port: Port, method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const base = port === 'http' ? service.url : (service.managementUrl ?? '')
    const answer = await send({ base }, path, { method, ...sent })
    for (const name of secretMembers) if (typeof answer.json[name] === 'string') secrets.add(answer.json[name])
    return answer
  }

export const prepared = async (
  world: World,
  port: Port,
  method: string,
  path: string,
  json?: object,
): Promise<Answer> => {
  const answer = await asks(world)(port, method, path, { token: world.master, ...(json === undefined ? {} : { json }) })
  assert.ok(answer.status < 300, `${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer
}

export const registered = async (world: World, client_name = 'one'): Promise<Answer['json']> =>
  (await prepared(world, 'http', 'POST', '/clients', { redirect_uris, client_name })).json

export const sessionStarted = async (world: World): Promise<string> =>
  String((await prepared(world, 'http', 'POST', '/sessions', { sub: 'alice' })).json['sid'])

type Listed = { readonly ordinal: number; readonly entry: AuditEntry }

/** The rows of requests, the latest first. */
export const rows = async (world: World): Promise<ReadonlyArray<Listed>> => {
  const { json } = await prepared(world, 'management', 'GET', '/manage/v1/audit?limit=1000')
  return (json['rows'] as ReadonlyArray<Listed>).filter(({ entry }) => entry.actor.kind !== 'service')
}

export const open = async (dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<World> => {
  const flags = {
    'data-dir': dataDir,
    'signing-algorithms': 'ES256',
    'management-port': '0',
    'outbound-fetches': 'true',
    'allow-open-registration': 'true',
    port: '0',
    engine: 'none',
    ...settings,
  }
  const service = await started(flags, {
    readConfig: () => {
      const loaded = loadConfig({ flags, environment: {}, readFile })
      return E.isLeft(loaded) ? E.left(['the settings cannot be read']) : E.right(loaded.right.config)
    },
  })
  const master = readFileSync(join(dataDir, 'master-token'), 'utf8').trim()
  const world = { service, master, dataDir, operator: '', secrets: new Set([master]) }
  const scope = issuableManagementPrivileges.join(' ')
  const { json } = await prepared(world, 'management', 'POST', '/operator-tokens', { scope })
  return { ...world, operator: String(json['access_token']) }
}
