// Keys that change by their schedule in the middle of logins: OpenID Connect Core §10.1.1. No process starts again.
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Tokens, scope, signIn } from './support/journey.js'
import { openidClient6 } from './support/openid-client-6.js'
import { startProvider } from './support/provider.js'

const keys = suite('logins in the middle of which the key changes')

// The shortest times that are permitted: a key signs for two seconds longer than its successor is published ahead.
const settings = {
  CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
  CLIENTELE_JWKS_MAX_AGE: '0',
  CLIENTELE_KEY_PUBLISH_AHEAD: '40',
  CLIENTELE_SIGNING_KEY_LIFETIME: '42',
  CLIENTELE_KEY_RETENTION: '3600',
}

const patience = 90_000

keys(
  'a half login, and a code, are redeemed for ID tokens that verify by the key set, as earlier ones do',
  async () => {
    const provider = await startProvider(settings)
    const { base } = provider.service
    const set = createRemoteJWKSet(new URL(`${base}/jwks.json`), { cooldownDuration: 0, cacheMaxAge: 0 })
    const kidOf = async ({ id_token }: Tokens): Promise<string> => {
      await jwtVerify(id_token, set, { issuer: base })
      return String(decodeProtectedHeader(id_token).kid)
    }
    try {
      const client = await openidClient6(provider)
      const first = await signIn(client, provider.endUser())
      const kid = await kidOf(first)
      // Half: the login page is open, and nothing is typed yet.
      const half = await client.begin({ scope })
      const browser = provider.endUser()
      const opened = await browser.browserOf(base).open(half.url.href)
      const page = new URL(String(opened.headers.get('location')), base).href
      const waiting = provider.endUser()
      await signIn(client, waiting, ['login'])
      const began = Date.now()
      // Codes of which the last is redeemed by the next key.
      let redeemed = kid
      let crossed = 0
      while (redeemed === kid && Date.now() < began + patience) {
        const { url, finish } = await client.begin({ scope })
        const { end } = await waiting.visit(url)
        if (end === undefined) throw new Error('the browser does not go to the application')
        await pause(1_000)
        redeemed = await kidOf(await finish(end))
        crossed += 1
      }
      assert.is.not(redeemed, kid, `the key did not change in ${patience} ms`)
      assert.ok(crossed > 1)
      const { end } = await browser.visit(page)
      if (end === undefined) throw new Error('the browser does not go to the application')
      const late = await half.finish(end)
      assert.is(await kidOf(late), redeemed)
      assert.is(await kidOf(first), kid, 'the ID token of the retired key verifies')
      assert.is(await provider.isActive((await client.refresh(first)).access_token), true)
    } finally {
      await provider.stop()
    }
  },
)

keys.run()
