import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const faults = suite<{ service: Service }>('contract 5 and 9: when the store fails')

faults.before.each(async (context) => {
  context.service = await startService()
})
faults.after.each(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const databaseOf = (service: Service): Database.Database => new Database(join(service.dataDir, 'clientele.db'))

faults('a store that is locked is 503 with Retry-After; reads go on; the token is not spent', async ({ service }) => {
  const token = await issueToken(service, 'client-reg')
  const { path, token: rat } = configurationOf(await register(service))
  const { path: pathOfUpdated, token: before } = configurationOf(await register(service))
  const put = { method: 'PUT', token: before, json: { redirect_uris } }
  // Its first read ends the token before it, once the store can write.
  const updated = configurationOf(await send(service, pathOfUpdated, put))
  const other = databaseOf(service)
  other.exec('BEGIN IMMEDIATE')
  const refused = register(service, { redirect_uris }, token)
  const reads = await Promise.all([
    send(service, path, { token: rat }),
    send(service, updated.path, { token: updated.token }),
    send(service, path, { token: service.master }),
    send(service, '/clients', { token: service.master }),
    send(service, '/health/live'),
    send(service, '/jwks.json'),
    send(service, '/keys', { token: service.master }),
  ])
  assert.equal(
    reads.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 200],
  )
  // What is not of the registry alone is not shown without its audit row.
  assert.is((await send(service, `/manage/v1${new URL(path).pathname}/secrets`, { token: service.master })).status, 503)
  const answer = await refused
  assert.is(answer.status, 503)
  assert.is(answer.headers.get('retry-after'), '1')
  assert.is(answer.text, '')
  other.exec('ROLLBACK')
  other.close()
  assert.is((await register(service, { redirect_uris }, token)).status, 200)
})

faults('one unreadable client breaks neither the list nor another client', async ({ service }) => {
  const registered = [await register(service), await register(service), await register(service)]
  const ids = registered.map(({ json }) => String(json['client_id']))
  const other = databaseOf(service)
  other.prepare('UPDATE clients SET metadata = ? WHERE client_id = ?').run('{"redirect_uris":[["', ids[1])
  other.close()
  const list: ReadonlyArray<{ client_id: string }> = JSON.parse(
    (await send(service, '/clients', { token: service.master })).text,
  )
  assert.equal(
    list.map(({ client_id }) => client_id),
    ids,
  )
  assert.equal(list[1], { client_id: ids[1], unreadable: true })
  const [, bad, good] = registered.map(configurationOf)
  assert.ok(bad !== undefined && good !== undefined)
  assert.is((await send(service, bad.path, { token: bad.token })).status, 503)
  assert.is((await send(service, good.path, { token: good.token })).status, 200)
  assert.match(service.output().stderr, 'cannot be read')
  assert.match(service.output().stderr, `"client_id":"${ids[1]}"`)
  assert.is((await send(service, bad.path, { token: 'junk' })).status, 401)
  assert.is((await send(service, bad.path, { method: 'DELETE', token: service.master })).status, 204)
  assert.is((await send(service, bad.path, { token: service.master })).status, 404)
})

faults('an unreadable client is removed by each route, without a version and by any version', async ({ service }) => {
  const managed = (path: string): string => `/manage/v1${new URL(path).pathname}`
  for (const headers of [{}, { 'If-Match': '*' }])
    for (const pathOf of [(path: string) => path, managed]) {
      const client = await register(service)
      const other = databaseOf(service)
      other.prepare("UPDATE clients SET metadata = '{' WHERE client_id = ?").run(client.json['client_id'])
      other.close()
      const path = pathOf(configurationOf(client).path)
      const removed = await send(service, path, { method: 'DELETE', token: service.master, headers })
      assert.is(removed.status, 204, `${path} ${JSON.stringify(headers)}`)
    }
})

faults('no secret or token lies in clear in the data directory, nor after the client is gone', async ({ service }) => {
  const token = await issueToken(service, 'client-reg')
  const { json } = await register(service, { redirect_uris }, token)
  const secrets = [token, String(json['client_secret']), String(json['registration_access_token'])]
  const lying = (): ReadonlyArray<string> => {
    const bytes = Buffer.concat(
      readdirSync(service.dataDir)
        .filter((name) => name.startsWith('clientele.db'))
        .map((name) => readFileSync(join(service.dataDir, name))),
    )
    return secrets.filter((secret) => bytes.includes(secret))
  }
  assert.equal(lying(), [])
  const path = String(json['registration_client_uri'])
  await send(service, path, { method: 'DELETE', token: service.master })
  assert.equal(lying(), [])
})

faults('an online backup reads the database while the service owns it', async ({ service }) => {
  await register(service)
  const other = databaseOf(service)
  const copy = join(service.dataDir, 'backup.db')
  await other.backup(copy)
  other.close()
  const restored = new Database(copy)
  assert.is(restored.prepare('SELECT count(*) FROM clients').pluck().get(), 1)
  assert.is(restored.pragma('quick_check', { simple: true }), 'ok')
  restored.close()
})

faults.run()
