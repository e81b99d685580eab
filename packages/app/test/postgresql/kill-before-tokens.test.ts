// kill -9 of an instance between an authorization code and its tokens, with another instance on the same PostgreSQL.
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { startProxy } from '../engine/support/balanced.js'
import { register } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/service.js'
import { openEndUser } from '../sign-in/support/end-user.js'
import { callback } from '../sign-in/support/provider.js'
import { environmentOf, masterToken, settingsOn } from './postgresql-service.js'

const killed = postgresqlSuite('an instance that is killed between a code and its tokens')

type Instance = { readonly port: string; readonly service: Service }
type Tokens = { readonly access_token: string; readonly refresh_token: string }

killed('the code is good once over both instances, and its tokens end with a second use', async (server) => {
  const url = await newDatabase(server)
  const dataDir = newDataDir()
  const proxy = await startProxy()
  const settings = environmentOf(
    settingsOn(url, {
      engine: 'oidc-provider',
      'registration-status': '201',
      'allow-open-registration': 'true',
      'base-url': proxy.base,
      'accounts-file': join(dataDir, 'accounts.json'),
    }),
  )
  const running = new Set<Instance>()
  const startOne = async (): Promise<Instance> => {
    const port = String(await freePort())
    const service = await startService({ ...settings, CLIENTELE_PORT: port }, '/nowhere/data')
    const instance = { port, service }
    running.add(instance)
    return instance
  }
  try {
    let dying = await startOne()
    const staying = await startOne()
    proxy.turnTo(staying.port)
    const password = readFileSync(join(dataDir, 'accounts-first-password'), 'utf8').trim()
    const endUser = openEndUser({ username: 'developer', password }, proxy.base)
    const metadata = { redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'] }
    const { json } = await register({ base: proxy.base, master: masterToken }, metadata)
    const { client_id, client_secret } = json as { readonly client_id: string; readonly client_secret: string }
    const headers = { Authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    const send = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${proxy.base}/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
    const isActive = async (token: string): Promise<boolean> =>
      ((await (await send('introspect', { token })).json()) as { readonly active: boolean }).active
    for (const delay of [undefined, 0, 3, 6, 12, 40]) {
      proxy.turnTo(dying.port)
      const query = new URLSearchParams({ client_id, redirect_uri: callback, response_type: 'code', scope: 'openid' })
      const { end } = await endUser.visit(`${proxy.base}/authorize?${query.toString()}`)
      const code = end?.searchParams.get('code') ?? ''
      const got: Array<Tokens> = []
      const redeem = async (): Promise<string> => {
        const answer = await send('token', { grant_type: 'authorization_code', code, redirect_uri: callback }).catch(
          () => undefined,
        )
        if (answer === undefined || answer.status === 502) return 'no answer'
        const body = (await answer.json()) as Tokens & { readonly error?: string }
        if (answer.status === 200) got.push(body)
        return answer.status === 200 ? 'tokens' : String(body.error)
      }
      const inFlight = delay === undefined ? Promise.resolve('not sent') : redeem()
      if (delay !== undefined) await pause(delay)
      await dying.service.stop('SIGKILL')
      running.delete(dying)
      proxy.turnTo(staying.port)
      const before = await inFlight
      const after = await redeem()
      assert.is(await redeem(), 'invalid_grant')
      assert.ok(got.length <= 1, `a code gives tokens twice: ${before}, ${after}`)
      if (before === 'not sent') assert.is(after, 'tokens')
      // RFC 6749 §4.1.2: a code that is used twice takes its tokens with it
      for (const token of got.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]))
        assert.is(await isActive(token), false)
      dying = await startOne()
    }
  } finally {
    await proxy.close()
    for (const { service } of running) await service.stop()
    discard(dataDir)
  }
})

killed.run()
