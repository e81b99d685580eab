// RFC 6749 §4.1.2, §10.5: several redemptions of one code at once, on each database.
import * as client from 'openid-client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { settingsOn } from '../postgresql/postgresql-service.js'
import { masterToken } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { confidential, configured, introspected, refused } from './support/relying-party.js'

const redeemedByOne = async (service: Service): Promise<void> => {
  const application = await configured(service, confidential)
  const { url, checks } = await application.request()
  const { end } = await goThrough(new Browser(), service, url)
  assert.ok(end)
  const requests = Array.from({ length: 5 }, () => client.authorizationCodeGrant(application.config, end, checks))
  const settled = await Promise.allSettled(requests)
  const [tokens, ...more] = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  assert.ok(tokens, JSON.stringify(settled))
  assert.equal(more, [])
  for (const [place, { status }] of settled.entries())
    if (status === 'rejected') assert.is(await refused(requests[place] ?? Promise.resolve()), 'invalid_grant')
  assert.is(tokens.claims()?.sub, 'zoe')
  // §4.1.2: the replays have revoked what was issued.
  assert.equal(await introspected(application, tokens.access_token), { active: false })
  const refresh = client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  assert.is(await refused(refresh), 'invalid_grant')
}

const title = 'of five redemptions of a code at once, one succeeds, and its tokens are revoked'
const rounds = 4

const onSqlite = suite('redemptions on SQLite')

onSqlite(title, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started({ ...flags, 'registration-status': '201' })
  try {
    for (let round = 0; round < rounds; round += 1) await redeemedByOne(service)
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
})

onSqlite.run()

const onPostgresql = postgresqlSuite('redemptions on PostgreSQL')

onPostgresql(title, async (server) => {
  const url = await newDatabase(server)
  const port = String(await freePort())
  const more = { port, 'base-url': `http://127.0.0.1:${port}`, engine: 'oidc-provider', 'registration-status': '201' }
  const accounts = join(tmpdir(), `clientele-accounts-${port}`)
  const service = await started({
    ...settingsOn(url, { ...more, 'master-token': masterToken }),
    'accounts-file': join(accounts, 'accounts.json'),
  })
  try {
    for (let round = 0; round < rounds; round += 1) await redeemedByOne(service)
  } finally {
    await service.stop()
    rmSync(accounts, { recursive: true })
  }
})

onPostgresql.run()
