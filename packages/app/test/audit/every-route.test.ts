// Each route leaves the rows of its table in the audit log, and no row has a secret. The table has all routes of
// operators; packages/adapters-http/test/operators/every-route.test.ts shows that all others are for any party.
import type { AuditAction, AuditEntry } from '@clientele/domain/audit'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorRoutes } from '../../../adapters-http/test/support/every-route.js'
import type { Answer } from '../support/requests.js'
import { type Case, cases } from './support/cases.js'
import { type Port, type World, asks, open, prepared, redirect_uris, registered, rows } from './support/world.js'

const onPublicPort = /^\w+ \/(?:clients(?:\/:id)?|sessions.*)$/

const assertLeft = async (
  world: World,
  name: string,
  before: number,
  { leaves }: Pick<Case, 'leaves'>,
  facts: { readonly door: Port; readonly kind: AuditEntry['actor']['kind']; readonly answer: Answer },
): Promise<void> => {
  const left = (await rows(world)).filter(({ ordinal }) => ordinal > before)
  assert.equal(
    left.map(({ entry }) => entry.action),
    leaves,
    name,
  )
  for (const { entry } of left) {
    assert.is(entry.origin.door, facts.door, name)
    assert.is(entry.actor.kind, facts.kind, name)
    assert.is(entry.origin.request_id, facts.answer.headers.get('x-request-id'), name)
    for (const secret of world.secrets) assert.not.ok(JSON.stringify(entry).includes(secret), `${name} has a secret`)
  }
}

const Every = suite('each route leaves its audit rows')

Every('the table has each route of operators, and no other', () => {
  assert.equal(Object.keys(cases).sort(), operatorRoutes())
})

Every('the routes of operators, by an operator token or the master token', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clientele-'))
  // The engine makes connections.
  const world = await open(dataDir, { engine: 'oidc-provider' })
  try {
    for (const [name, { before, json, leaves, byMaster = false }] of Object.entries(cases)) {
      const requested = (await before?.(world)) ?? {}
      const latest = (await rows(world))[0]?.ordinal ?? 0
      const [method = '', pattern = ''] = name.split(' ')
      const door = onPublicPort.test(name) ? 'http' : 'management'
      const body = requested.json ?? json
      const answer = await asks(world)(door, method, requested.path ?? pattern, {
        token: byMaster ? world.master : world.operator,
        ...(body === undefined ? {} : { json: body }),
      })
      if (name !== 'POST /keys/decrypt')
        assert.ok(answer.status < 300, `${name} answered ${answer.status}: ${answer.text}`)
      const kind = byMaster ? 'master' : 'operator_token'
      await assertLeft(world, name, latest, { leaves }, { door, kind, answer })
    }
  } finally {
    await world.service.stop()
    rmSync(dataDir, { recursive: true })
  }
})

Every('the routes of clients, by their own tokens and without one; readings of their own leave no row', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clientele-'))
  const world = await open(dataDir)
  const ask = asks(world)
  try {
    const step = async (
      [method, path, token, json]: readonly [string, string, string, object?],
      kind: AuditEntry['actor']['kind'],
      leaves: ReadonlyArray<AuditAction>,
    ): Promise<Answer['json']> => {
      const latest = (await rows(world))[0]?.ordinal ?? 0
      const answer = await ask('http', method, path, {
        ...(token === '' ? {} : { token }),
        ...(json === undefined ? {} : { json }),
      })
      assert.ok(answer.status < 300, `${method} ${path} answered ${answer.status}: ${answer.text}`)
      await assertLeft(world, `${method} ${path}`, latest, { leaves }, { door: 'http', kind, answer })
      return answer.json
    }
    await step(['POST', '/clients', '', { redirect_uris }], 'anonymous', ['client_registered'])
    const { access_token } = (await prepared(world, 'management', 'POST', '/direct-authz', { scope: 'client-reg' }))
      .json
    const made = await step(['POST', '/clients', String(access_token), { redirect_uris }], 'initial_access_token', [
      'client_registered',
    ])
    const { client_id, client_secret, registration_access_token: own } = made
    const path = `/clients/${String(client_id)}`
    await step(['GET', path, String(own)], 'registration_access_token', [])
    const update = { client_id, client_secret, redirect_uris, client_name: 'other' }
    const { registration_access_token: present = own } = await step(
      ['PUT', path, String(own), update],
      'registration_access_token',
      ['client_updated'],
    )
    await step(['DELETE', path, String(present)], 'registration_access_token', ['client_deleted'])
  } finally {
    await world.service.stop()
    rmSync(dataDir, { recursive: true })
  }
})

Every('a refused request, a dry run, and an operator who may not see credentials leave no row', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clientele-'))
  const world = await open(dataDir)
  const ask = asks(world)
  try {
    const { client_id } = await registered(world)
    const issued = await prepared(world, 'management', 'POST', '/operator-tokens', { scope: 'clients:read' })
    const reader = String(issued.json['access_token'])
    const latest = (await rows(world))[0]?.ordinal ?? 0
    const path = `/clients/${String(client_id)}`
    for (const [method, requested, token, status, json] of [
      ['GET', '/clients', reader, 200],
      ['GET', path, reader, 200],
      ['HEAD', path, world.master, 200],
      ['HEAD', '/clients', world.master, 200],
      ['DELETE', path, reader, 403],
      ['POST', '/clients', world.master, 400, { redirect_uris: [] }],
      ['POST', '/sessions', world.operator, 400, {}],
      ['DELETE', '/sessions/unknown', world.operator, 404],
    ] as const)
      assert.is((await ask('http', method, requested, { token, ...(json ? { json } : {}) })).status, status, requested)
    for (const [requested, status, json] of [
      ['/keys/roll-over?dry_run=true', 200, {}],
      ['/keys/compromise', 404, { kid: 'unknown' }],
      ['/keys/foreign/remove', 404, { kid: 'unknown' }],
      ['/logouts/retry', 200, {}],
      ['/encryption/re-seal', 200, { dry_run: true }],
      ['/encryption/keys/drop', 200, {}],
    ] as const)
      assert.is((await ask('management', 'POST', requested, { token: world.operator, json })).status, status, requested)
    for (const [method, path] of [
      ['GET', '/exported-clients'],
      ['HEAD', '/exported-clients?secrets=true'],
    ] as const)
      assert.is((await ask('management', method, path, { token: world.operator })).status, 200, path)
    assert.equal(
      (await rows(world)).filter(({ ordinal }) => ordinal > latest),
      [],
    )
  } finally {
    await world.service.stop()
    rmSync(dataDir, { recursive: true })
  }
})

Every.run()
