// What each route of operators leaves in the audit log.
import type { AuditAction } from '@clientele/domain/audit'
import Database from 'better-sqlite3'
import { exportJWK, generateKeyPair } from 'jose'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { Browser, consented, endUser, goThrough } from '../../engine/support/browser.js'
import { removeByHand } from '../../support/removed-by-hand.js'
import type { Answer } from '../../support/requests.js'
import { type World, prepared, redirect_uris, registered, sessionStarted } from './world.js'

type Requested = { readonly path?: string; readonly json?: object }

export type Case = {
  /** What is there before; it may name the path and the body of the request. */
  readonly before?: (world: World) => Promise<Requested>
  readonly json?: object
  readonly leaves: ReadonlyArray<AuditAction>
  /** Only the master token has the privilege. */
  readonly byMaster?: boolean
}

const none: Case = { leaves: [] }

const ofClient = (path: (id: string) => string, leaves: ReadonlyArray<AuditAction>, json?: object): Case => ({
  before: async (world) => ({ path: path(String((await registered(world))['client_id'])) }),
  ...(json === undefined ? {} : { json }),
  leaves,
})

const suspended = async (world: World, client_name?: string): Promise<string> => {
  const id = String((await registered(world, client_name))['client_id'])
  await prepared(world, 'management', 'POST', `/clients/${id}/suspension`, {})
  return id
}

/** Imported as a client that waits for an approval. */
const pending = async (world: World, client_name: string): Promise<string> => {
  const client_id = `pending-${randomUUID()}`
  const client = { client_id, metadata: { redirect_uris, client_name }, approval: { state: 'pending' } }
  await prepared(world, 'management', 'POST', '/imported-clients', { replace: false, clients: [client] })
  return client_id
}

const removed = async (world: World): Promise<string> => {
  const id = String((await registered(world))['client_id'])
  removeByHand(world.dataDir, id)
  return id
}

const bulk = (
  q: string,
  register: (world: World, name: string) => Promise<unknown>,
  action: AuditAction,
  asked: object = {},
): Case => ({
  before: async (world) => {
    for (const name of ['1', '2']) await register(world, `${q} ${name}`)
    return {}
  },
  json: { filter: { q }, count: 2, ...asked },
  leaves: [action, action],
})

/** The path of a connection of the end-user to a new client. */
const connected = async (world: World, sub: string): Promise<string> => {
  const { client_id } = await registered(world)
  const request = new URLSearchParams({
    client_id: String(client_id),
    redirect_uri: redirect_uris.join(),
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  })
  const answers = { login: endUser(sub), consent: consented }
  await goThrough(new Browser(), world.service, `${world.service.url}/authorize?${request.toString()}`, answers)
  const { json } = await prepared(world, 'management', 'GET', `/manage/v1/connections?sub=${sub}`)
  const [connection] = json['connections'] as ReadonlyArray<{ readonly id: string }>
  return `/manage/v1/connections/${connection?.id ?? 'none'}`
}

/** The path of the preceding secret of a client that has two. */
const withTwoSecrets = async (world: World): Promise<string> => {
  const { client_id } = await registered(world)
  const path = `/manage/v1/clients/${String(client_id)}/client-secrets`
  await prepared(world, 'management', 'POST', path, {})
  return `${path}/preceding`
}

const jwks = async (isPrivate: boolean): Promise<object> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { keys: [{ ...(await exportJWK(isPrivate ? privateKey : publicKey)), alg: 'ES256', use: 'sig' }] }
}

const keysOf = ({ json }: Answer): ReadonlyArray<{ readonly kid: string }> =>
  json['keys'] as ReadonlyArray<{ readonly kid: string }>

const foreignKid = async (world: World): Promise<string> => {
  const { json } = await prepared(world, 'management', 'POST', '/keys/foreign', await jwks(false))
  return (json['foreign'] as ReadonlyArray<{ readonly kid: string }>)[0]?.kid ?? ''
}

const tokenId = async (world: World, path: string, json: object, list: string): Promise<string> => {
  await prepared(world, 'management', 'POST', path, json)
  const { json: listed } = await prepared(world, 'management', 'GET', list)
  return (listed['tokens'] as ReadonlyArray<{ readonly id: string }>).at(-1)?.id ?? ''
}

/** A notification that failed for good: no receiver is here, so that it is marked by hand. */
const failedNotification = async (world: World): Promise<Requested> => {
  const json = { redirect_uris, backchannel_logout_uri: 'https://rp.example/signed-out' }
  const { client_id } = (await prepared(world, 'http', 'POST', '/clients', json)).json
  const sid = await sessionStarted(world)
  await prepared(world, 'http', 'POST', `/sessions/${sid}/clients`, { client_id })
  await prepared(world, 'http', 'DELETE', `/sessions/${sid}`)
  const db = new Database(join(world.dataDir, 'clientele.db'))
  assert.is(db.prepare('UPDATE notifications SET failed = 1, claimed_by = NULL, claimed_until = NULL').run().changes, 1)
  db.close()
  return { json: {} }
}

export const cases: Readonly<Record<string, Case>> = {
  'GET /clients': { leaves: ['all_credentials_read'] },
  'POST /clients': { json: { redirect_uris }, leaves: ['client_registered'] },
  'GET /clients/:id': ofClient((id) => `/clients/${id}`, ['client_credentials_read']),
  'PUT /clients/:id': {
    before: async (world) => {
      const { client_id, client_secret } = await registered(world)
      return { path: `/clients/${String(client_id)}`, json: { client_id, client_secret, redirect_uris } }
    },
    leaves: ['client_updated'],
  },
  'DELETE /clients/:id': ofClient((id) => `/clients/${id}`, ['client_deleted']),
  'POST /clients/:id/renewal': ofClient((id) => `/clients/${id}/renewal`, ['client_renewed'], {}),
  'POST /clients/:id/suspension': ofClient((id) => `/clients/${id}/suspension`, ['client_suspended'], {}),
  'DELETE /clients/:id/suspension': {
    before: async (world) => ({ path: `/clients/${await suspended(world)}/suspension` }),
    leaves: ['client_resumed'],
  },
  'GET /manage/v1/clients': none,
  'GET /manage/v1/clients/:id': ofClient((id) => `/manage/v1/clients/${id}`, []),
  'GET /manage/v1/clients/:id/secrets': ofClient(
    (id) => `/manage/v1/clients/${id}/secrets`,
    ['client_credentials_read'],
  ),
  'GET /manage/v1/clients/:id/client-secrets': ofClient((id) => `/manage/v1/clients/${id}/client-secrets`, []),
  'POST /manage/v1/clients/:id/client-secrets': ofClient(
    (id) => `/manage/v1/clients/${id}/client-secrets`,
    ['client_secret_added'],
    {},
  ),
  'PUT /manage/v1/clients/:id/client-secrets/preceding': {
    before: async (world) => ({ path: await withTwoSecrets(world) }),
    json: { ends_at: '2099-01-01' },
    leaves: ['client_secret_ended'],
  },
  'DELETE /manage/v1/clients/:id/client-secrets/preceding': {
    before: async (world) => ({ path: await withTwoSecrets(world) }),
    leaves: ['client_secret_ended'],
  },
  'PATCH /manage/v1/clients/:id': ofClient((id) => `/manage/v1/clients/${id}`, ['client_updated'], {
    client_name: 'New',
  }),
  'DELETE /manage/v1/clients/:id': ofClient((id) => `/manage/v1/clients/${id}`, ['client_deleted']),
  'POST /manage/v1/clients/:id/restoration': {
    before: async (world) => ({ path: `/manage/v1/clients/${await removed(world)}/restoration`, json: {} }),
    leaves: ['client_restored'],
  },
  'POST /manage/v1/clients/:id/approval': {
    before: async (world) => ({ path: `/manage/v1/clients/${await pending(world, 'one')}/approval`, json: {} }),
    leaves: ['client_approved'],
  },
  'POST /manage/v1/clients/:id/refusal': {
    before: async (world) => ({ path: `/manage/v1/clients/${await pending(world, 'one')}/refusal` }),
    json: { reason: 'Its policy_uri is missing' },
    leaves: ['client_refused'],
  },
  'GET /manage/v1/removals': none,
  'POST /manage/v1/clients/suspension': bulk('to suspend', registered, 'client_suspended'),
  'POST /manage/v1/clients/resumption': bulk('to resume', suspended, 'client_resumed'),
  'POST /manage/v1/clients/approval': bulk('to approve', pending, 'client_approved'),
  'POST /manage/v1/clients/refusal': bulk('to refuse', pending, 'client_refused', { reason: 'Not now' }),
  'POST /manage/v1/clients/removal': bulk('to remove', registered, 'client_deleted'),
  'GET /manage/v1/refusals': none,
  'GET /manage/v1/connections': none,
  'GET /manage/v1/connections/:id': {
    before: async (world) => ({ path: await connected(world, 'zoe') }),
    leaves: [],
  },
  'DELETE /manage/v1/connections/:id': {
    before: async (world) => ({ path: await connected(world, 'ann') }),
    leaves: ['connection_revoked'],
  },
  'POST /manage/v1/connections/revocation': {
    before: async (world) => {
      await connected(world, 'max')
      await connected(world, 'max')
      return {}
    },
    json: { filter: { sub: 'max' }, count: 2 },
    leaves: ['connection_revoked', 'connection_revoked'],
  },
  'GET /exported-clients': {
    before: async () => ({ path: '/exported-clients?secrets=true' }),
    leaves: ['all_credentials_read'],
  },
  'POST /imported-clients': {
    json: {
      replace: false,
      clients: ['imported-client-0001', 'imported-client-0002'].map((client_id) => ({
        client_id,
        metadata: { redirect_uris },
      })),
    },
    leaves: ['client_imported', 'client_imported'],
  },
  'POST /registration-policy/judgement': { json: {}, leaves: [] },
  'POST /direct-authz': { json: { scope: 'client-reg' }, leaves: ['initial_access_token_issued'] },
  'GET /initial-access-tokens': none,
  'DELETE /initial-access-tokens/:id': {
    before: async (world) => {
      const id = await tokenId(world, '/direct-authz', { scope: 'client-reg' }, '/initial-access-tokens')
      return { path: `/initial-access-tokens/${id}` }
    },
    leaves: ['initial_access_token_revoked'],
  },
  'GET /keys': none,
  'POST /keys/roll-over': { json: {}, leaves: ['keys_rolled_over'] },
  'POST /keys/compromise': {
    before: async (world) => ({
      json: { kid: keysOf(await prepared(world, 'management', 'GET', '/keys'))[0]?.kid },
    }),
    leaves: ['key_revoked'],
  },
  'POST /keys/import': { before: async () => ({ json: await jwks(true) }), leaves: ['keys_imported'] },
  'POST /keys/foreign': { before: async () => ({ json: await jwks(false) }), leaves: ['foreign_keys_added'] },
  'POST /keys/foreign/remove': {
    before: async (world) => ({ json: { kid: await foreignKid(world) } }),
    leaves: ['foreign_key_removed'],
  },
  'POST /keys/sign': {
    before: async () => ({
      json: { alg: 'ES256', typ: 'at+jwt', claims: { sub: 'a' }, expires_at: Math.floor(Date.now() / 1000) + 15 },
    }),
    leaves: [],
  },
  // No object is encrypted to the service here: the refusal is the answer.
  'POST /keys/decrypt': { json: { jwe: 'none' }, leaves: [] },
  'GET /encryption/keys': none,
  'POST /encryption/keys': { json: {}, leaves: ['encryption_key_added'] },
  'POST /encryption/keys/drop': {
    before: async (world) => {
      let after: unknown
      do {
        const step = after === undefined ? {} : { after }
        after = (await prepared(world, 'management', 'POST', '/encryption/re-seal', step)).json['next']
      } while (after !== undefined)
      return { json: {} }
    },
    leaves: ['encryption_keys_dropped'],
  },
  'POST /encryption/re-seal': { json: {}, leaves: ['sealing_begun'] },
  'POST /sessions': { json: { sub: 'alice' }, leaves: ['session_started'] },
  'GET /sessions': { before: async () => ({ path: '/sessions?sub=alice' }), leaves: [] },
  'POST /sessions/find': {
    before: async (world) => {
      const { cookie } = (await prepared(world, 'http', 'POST', '/sessions', { sub: 'alice' })).json
      const { value } = cookie as { readonly value: string }
      world.secrets.add(value)
      return { json: { cookie: value } }
    },
    leaves: [],
  },
  'POST /sessions/:sid/clients': {
    before: async (world) => {
      const { client_id } = await registered(world)
      return { path: `/sessions/${await sessionStarted(world)}/clients`, json: { client_id } }
    },
    leaves: ['session_client_recorded'],
  },
  'DELETE /sessions/:sid': {
    before: async (world) => ({ path: `/sessions/${await sessionStarted(world)}` }),
    leaves: ['session_ended'],
  },
  'GET /metrics': none,
  'GET /logouts': none,
  'POST /logouts/retry': { before: failedNotification, leaves: ['notifications_retried'] },
  'GET /operator-tokens': { ...none, byMaster: true },
  'POST /operator-tokens': { json: { scope: 'keys' }, leaves: ['operator_token_issued'], byMaster: true },
  'POST /console/links': { json: { scope: 'keys' }, leaves: ['operator_token_issued'], byMaster: true },
  'DELETE /operator-tokens/:id': {
    before: async (world) => {
      const { json } = await prepared(world, 'management', 'POST', '/operator-tokens', { scope: 'metrics' })
      return { path: `/operator-tokens/${String(json['id'])}` }
    },
    leaves: ['operator_token_revoked'],
    byMaster: true,
  },
  'GET /manage/v1/audit': none,
  'GET /manage/v1/audit/verification': none,
  'POST /reload': { json: {}, leaves: ['settings_reloaded'], byMaster: true },
}
