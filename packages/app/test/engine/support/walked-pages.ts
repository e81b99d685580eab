// What the metadata say of pages, of sessions and of clients that are not registered.
import { SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { openBrowser } from '../../logout/support/browser.js'
import { Browser, goThrough } from './browser.js'
import {
  type Op,
  answered,
  ask,
  client,
  listOf,
  redeemed,
  register,
  registered,
  said,
  tokensOf,
  tried,
  urlOf,
  zoe,
} from './walked-service.js'
import { callback } from './relying-party.js'

const languageOf = (html: string): string | undefined => /<html lang="([^"]*)"/.exec(html)?.[1]

const subOf = (idToken: unknown): unknown =>
  (JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString()) as { readonly sub: unknown })
    .sub

export const walksOfPages: Readonly<Record<string, (op: Op) => Promise<void>>> = {
  // OpenID Core §3.1.2.1
  'pages are in each listed language, and in the first one for others': async (op) => {
    const client_id = await register(op)
    const listed = listOf(op, 'ui_locales')
    for (const ui_locales of [...listed, 'it']) {
      const expected = listed.includes(ui_locales) ? ui_locales : listed[0]
      const browser = new Browser()
      const { url = '' } = await urlOf(op, client_id, { ui_locales })
      const sent = await browser.open(url)
      const page = await browser.open(new URL(sent.headers.get('location') ?? '', op.service.url).href)
      assert.is(languageOf(await page.text()), expected, `login ${ui_locales}`)
      const logout = await browser.open(`${op.service.url}/logout?ui_locales=${ui_locales}`)
      assert.is(languageOf(await logout.text()), expected, `logout ${ui_locales}`)
    }
  },
  'no display is listed, and each value of the standard is no error': async (op) => {
    const client_id = await register(op)
    assert.is(said(op, 'display_values_supported'), undefined)
    for (const display of ['page', 'popup', 'touch', 'wap'])
      assert.is((await answered(op, client_id, { display })).get('error'), null, display)
  },
  // OpenID Core §5.5, §5.6
  'claims are normal ones, and none is given for being asked for': async (op) => {
    assert.equal(listOf(op, 'claim_types'), ['normal'])
    assert.is(said(op, 'claims_parameter_supported'), false)
    const claims = JSON.stringify({ id_token: { email: { essential: true } } })
    const { id_token } = await tokensOf(op, await register(op), { claims })
    assert.not.ok(
      Buffer.from(String(id_token).split('.')[1] ?? '', 'base64url')
        .toString()
        .includes('email'),
    )
  },
  // OpenID Core §8
  'a subject is the same for all clients, or one for each sector, as the client asks': async (op) => {
    const subs: Array<unknown> = []
    for (const subject_type of [...listOf(op, 'subject_types'), 'pairwise'])
      subs.push(subOf((await tokensOf(op, await register(op, { subject_type })))['id_token']))
    const [first, second, third] = subs
    assert.equal([first, second === third, second === first], ['zoe', true, false])
  },
  // draft-ietf-oauth-client-id-metadata-document-02 §6
  'a client_id that is a URL is one where the metadata say so': async (op) => {
    assert.is(said(op, 'client_id_metadata_document_supported'), false)
    const { url, error } = await urlOf(op, 'https://app.example/client.json')
    const status = url === undefined ? error : (await new Browser().open(url)).status
    assert.ok([400, 'invalid_client'].includes(status as never), String(status))
  },
  // OpenID Front-Channel Logout §3, Back-Channel Logout §2.1
  'frames with the session are loaded at a logout, and logout tokens are sent, as the metadata say': async (op) => {
    const { origin } = new URL(callback)
    const frontchannel_logout_uri = `${origin}/out`
    const client_id = await register(op, { frontchannel_logout_uri, frontchannel_logout_session_required: true })
    const { url = '' } = await urlOf(op, client_id)
    const browser = new Browser()
    const { end } = await goThrough(browser, op.service, url, zoe)
    const { id_token } = await redeemed(op, client_id, end?.searchParams.get('code') ?? undefined)
    const cookies = browser.cookies.map(({ name, value }) => `${name}=${value}`)
    const window = openBrowser(op.service.url, cookies)
    const left = await window.answer(await window.get(`/logout?id_token_hint=${String(id_token)}`), 'logout')
    const frame = /<iframe[^>]* src="([^"]*)"/.exec(left.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.is(frame.startsWith(`${frontchannel_logout_uri}?`), said(op, 'frontchannel_logout_supported'), left.html)
    assert.is(/[?&]sid=/.test(frame), said(op, 'frontchannel_logout_session_supported'))
    const { json } = await tried(op, { ...client, backchannel_logout_uri: `${origin}/back` })
    const warnings = json['warnings'] as ReadonlyArray<{ readonly rule: string }>
    const isSent = !warnings.some(({ rule }) => rule === 'logout-not-sent')
    for (const member of ['backchannel_logout_supported', 'backchannel_logout_session_supported'])
      assert.is(isSent, said(op, member))
  },
  // RFC 6749 §2.3.1
  'a secret is taken in each listed way': async (op) => {
    const listed = listOf(op, 'token_endpoint_auth_methods')
    const sent = { grant_type: 'client_credentials', client_assertion_type: undefined, client_assertion: undefined }
    for (const method of ['client_secret_basic', 'client_secret_post'].filter((each) => listed.includes(each))) {
      const metadata = { token_endpoint_auth_method: method, jwks: undefined }
      const { client_id, client_secret = '' } = await registered(op, metadata)
      const isBasic = method === 'client_secret_basic'
      const fields = isBasic ? { client_id: undefined } : { client_secret }
      const headers = isBasic ? { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` } : {}
      const { status, json } = await ask(op, '/token', client_id, { ...sent, ...fields }, { headers })
      assert.is(status, 200, `${method} ${JSON.stringify(json)}`)
    }
  },
  // OpenID Core §9: the secret is the key of the assertion
  'client assertions by a secret are taken by each listed algorithm': async (op) => {
    const ofSecrets = listOf(op, 'token_endpoint_auth_signing_alg_values').filter((alg) => alg.startsWith('HS'))
    for (const alg of ofSecrets) {
      const members = { token_endpoint_auth_method: 'client_secret_jwt', jwks: undefined }
      const { client_id, client_secret } = await registered(op, { ...members, token_endpoint_auth_signing_alg: alg })
      for (const [path, list, fields] of [
        ['/token', 'token', { grant_type: 'client_credentials' }],
        ['/revoke', 'revocation', { token: 'unknown' }],
        ['/introspect', 'introspection', { token: 'unknown' }],
      ] as const) {
        const client_assertion = await new SignJWT({ iss: client_id, sub: client_id, aud: op.service.url })
          .setProtectedHeader({ alg })
          .setJti(randomUUID())
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(new TextEncoder().encode(client_secret))
        const { status } = await ask(op, path, client_id, { ...fields, client_assertion })
        assert.is(status, 200, `${path} ${alg}`)
        assert.ok(listOf(op, `${list}_endpoint_auth_signing_alg_values`).includes(alg), `${path} ${alg}`)
      }
    }
  },
}
