// The authorization server on PostgreSQL: two instances behind one URL, each of which answers any request of a flow.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { randomUUID } from 'node:crypto'
import * as client from 'openid-client'
import * as assert from 'uvu/assert'
import { type Balanced, balance, startProxy } from '../engine/support/balanced.js'
import { Browser, goThrough } from '../engine/support/browser.js'
import {
  type Application,
  callback,
  confidential,
  configured,
  introspected,
  refused,
  signIn,
} from '../engine/support/relying-party.js'
import { masterToken, remove } from '../support/two-services.js'
import { start } from './postgresql-service.js'

const engine = postgresqlSuite('the authorization server on PostgreSQL')

/** No end-user signs in on a page of these tests. */
const login = { begin: () => Promise.reject(new Error('no page')), complete: () => Promise.resolve(undefined) }

type Two = Omit<Balanced, 'close'>

const withTwo =
  (test: (two: Two) => Promise<void>) =>
  async (server: Server): Promise<void> => {
    const proxy = await startProxy()
    const url = await newDatabase(server)
    const flags = {
      engine: 'oidc-provider',
      'registration-status': '201',
      'base-url': proxy.base,
      'master-token': masterToken,
      'introspection-clients': '*',
    }
    const starts = [0, 1].map(() => start(url, flags, { login }))
    try {
      const [one, other] = await Promise.all(starts)
      if (one === undefined || other === undefined) throw new Error('two services were started')
      await test(balance(proxy, proxy.base, { directories: [], one, other }))
    } finally {
      await proxy.close()
      for (const each of await Promise.allSettled(starts)) if (each.status === 'fulfilled') await each.value.stop()
    }
  }

const rotate = ({ config }: Application, refreshToken: unknown) =>
  client.refreshTokenGrant(config, String(refreshToken))

const isActive = async (application: Application, token: unknown): Promise<boolean> =>
  (await introspected(application, String(token))).active

/** The outcomes of the same token request, sent to the instances at once. */
const outcomesAt = async (
  instances: ReadonlyArray<{ readonly url: string }>,
  { registered }: Application,
  parameters: Readonly<Record<string, string>>,
  headersFor: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): Promise<ReadonlyArray<string>> => {
  const basic = Buffer.from(`${registered.client_id}:${registered.client_secret}`).toString('base64')
  const headers = { Authorization: `Basic ${basic}`, ...(await headersFor()) }
  const answers = instances.map(async ({ url }) => {
    const answer = await fetch(`${url}/token`, { method: 'POST', headers, body: new URLSearchParams(parameters) })
    return answer.status === 200 ? 'tokens' : String(((await answer.json()) as { error?: string }).error)
  })
  return (await Promise.all(answers)).sort()
}

engine(
  'a login begins at one, is answered and redeemed at the other, and its tokens are good at both',
  withTwo(async ({ one, other, service, turnTo }) => {
    const application = await configured(service, confidential)
    const { url, checks } = await application.request()
    const browser = new Browser()
    const begun = await browser.open(url)
    turnTo(other)
    const { end } = await goThrough(browser, service, new URL(String(begun.headers.get('location')), url).href)
    assert.ok(end)
    turnTo(one)
    const tokens = await client.authorizationCodeGrant(application.config, end, checks)
    turnTo(other)
    assert.is((await client.fetchUserInfo(application.config, tokens.access_token, 'zoe')).sub, 'zoe')
    const second = await rotate(application, tokens.refresh_token)
    turnTo(one)
    assert.ok(await isActive(application, second.access_token))
    const third = await rotate(application, second.refresh_token)
    turnTo(other)
    assert.is(await refused(rotate(application, second.refresh_token)), 'invalid_grant')
    turnTo(one)
    for (const token of [third.access_token, third.refresh_token]) assert.not(await isActive(application, token))
  }),
)

engine(
  'a logout at one ends the tokens at the other',
  withTwo(async ({ one, other, service, turnTo }) => {
    const application = await configured(service, confidential)
    const { tokens } = await signIn(service, application, new Browser())
    const headers = { Authorization: `Bearer ${masterToken}` }
    const listed = await fetch(`${one.url}/sessions?sub=zoe`, { headers })
    const { sessions } = (await listed.json()) as { sessions: ReadonlyArray<{ readonly sid: string }> }
    assert.is(sessions.length, 1)
    turnTo(other)
    assert.ok(await isActive(application, tokens.access_token))
    const ended = await fetch(`${one.url}/sessions/${sessions[0]?.sid ?? ''}`, { method: 'DELETE', headers })
    assert.is(ended.status, 204)
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.not(await isActive(application, token))
    assert.is(await refused(rotate(application, tokens.refresh_token)), 'invalid_grant')
  }),
)

engine(
  'a deletion of the client at one ends its code and tokens at the other',
  withTwo(async ({ one, other, service, turnTo }) => {
    const resource = await configured(service, confidential)
    const application = await configured(service, confidential)
    const browser = new Browser()
    const { tokens } = await signIn(service, application, browser)
    const { url, checks } = await application.request()
    const { end } = await goThrough(browser, service, url)
    assert.ok(end)
    turnTo(other)
    assert.ok(await isActive(resource, tokens.access_token))
    // A refresh token is shown to its client only.
    assert.ok(await isActive(application, tokens.refresh_token))
    await remove(one, application.registered)
    assert.not(await isActive(resource, tokens.access_token))
    const redeemed = {
      grant_type: 'authorization_code',
      code: end.searchParams.get('code') ?? '',
      redirect_uri: callback,
    }
    assert.equal(await outcomesAt([other], application, redeemed), ['invalid_client'])
    const again = await configured(service, { ...confidential, preferred_client_id: application.registered.client_id })
    assert.is(again.registered.client_id, application.registered.client_id)
    assert.is(await refused(client.authorizationCodeGrant(again.config, end, checks)), 'invalid_grant')
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.not(await isActive(again, token))
    assert.is(await refused(rotate(again, tokens.refresh_token)), 'invalid_grant')
  }),
)

engine(
  'a code, and a refresh token, that both instances get at once is good once',
  withTwo(async ({ one, other, service }) => {
    const application = await configured(service, confidential)
    const browser = new Browser()
    for (let round = 0; round < 5; round += 1) {
      const { url, checks } = await application.request()
      const { end } = await goThrough(browser, service, url)
      const all = await outcomesAt([one, other, one, other], application, {
        grant_type: 'authorization_code',
        code: end?.searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: String(checks.pkceCodeVerifier),
      })
      assert.ok(all.filter((each) => each === 'tokens').length <= 1, all.join())
      assert.equal(
        [...new Set(all)].filter((each) => !['tokens', 'invalid_grant'].includes(each)),
        [],
        all.join(),
      )
      const { tokens } = await signIn(service, application, browser)
      const refresh_token = String(tokens.refresh_token)
      const rotated = await outcomesAt([one, other, one], application, { grant_type: 'refresh_token', refresh_token })
      assert.ok(rotated.filter((each) => each === 'tokens').length <= 1, rotated.join())
      assert.equal(
        [...new Set(rotated)].filter((each) => !['tokens', 'invalid_grant'].includes(each)),
        [],
      )
    }
  }),
)

// RFC 9449 §11.1: a proof is good once, at whichever server it arrives.
engine(
  'a DPoP proof that one instance accepted is refused by the other, and of two at once one wins',
  withTwo(async ({ one, other, service }) => {
    const application = await configured(service, confidential)
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const proof = (): Promise<string> =>
      new SignJWT({ htm: 'POST', htu: `${service.url}/token`, jti: randomUUID() })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .setIssuedAt()
        .sign(privateKey)
    const grant = { grant_type: 'client_credentials' }
    const first = await proof()
    const withProof = () => Promise.resolve({ DPoP: first })
    assert.equal(await outcomesAt([one], application, grant, withProof), ['tokens'])
    for (const each of [other, one])
      assert.equal(await outcomesAt([each], application, grant, withProof), ['invalid_grant'])
    for (let round = 0; round < 5; round += 1) {
      const at = [one, other, one, other]
      const outcomes = await outcomesAt(at, application, grant, async () => ({ DPoP: await proof() }))
      assert.equal(outcomes, ['invalid_grant', 'invalid_grant', 'invalid_grant', 'tokens'])
    }
  }),
)

engine.run()
