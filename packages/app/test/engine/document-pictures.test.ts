// The picture of a client with a metadata document on the consent page: docs/decisions/consent-and-pages.md. The host is over TLS on loopback.
import * as E from 'fp-ts/lib/Either.js'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { reachReceivers, startReceiver } from '../support/receivers.js'
import { masterToken } from '../support/two-services.js'
import { Browser, endUser } from './support/browser.js'
import { callback } from './support/relying-party.js'

const pictures = suite('pictures of documents')

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The page that asks for consent; the end-user signs in at the interface for login systems. */
const consentPage = async ({ url, provider }: Service, client_id: string): Promise<string> => {
  const { interactions } = provider
  const browser = new Browser()
  const code_challenge = createHash('sha256').update('verifier').digest('base64url')
  const request = { client_id, redirect_uri: callback, response_type: 'code', scope: 'openid', code_challenge }
  const query = new URLSearchParams({ ...request, code_challenge_method: 'S256' })
  let next = `${url}/authorize?${query.toString()}`
  for (;;) {
    const [, id] = /\/interaction\/([A-Za-z0-9_-]+)$/.exec(next) ?? []
    if (id === undefined || interactions === undefined) {
      const answer = await browser.open(next)
      const location = answer.headers.get('location')
      if (location === null) throw new Error(await answer.text())
      next = new URL(location, next).href
      continue
    }
    const cookies = { cookie: browser.cookieFor(next) }
    const found = await interactions.findInteraction(id, cookies)()
    if (E.isLeft(found)) throw new Error(found.left.error)
    if (found.right.prompt === 'consent') return (await browser.open(next)).text()
    const answered = await interactions.answerInteraction(id, cookies, endUser('zoe'))()
    if (E.isLeft(answered)) throw new Error(answered.left.error)
    browser.take(answered.right.setCookies)
    next = new URL(answered.right.location, url).href
  }
}

const withPolicy = async (allowed_hosts: ReadonlyArray<string>, run: (service: Service) => Promise<void>) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = {
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'outbound-fetches': 'true',
    'registration-policy-json': JSON.stringify({ metadata_documents: { accept: 'any', allowed_hosts } }),
  }
  const service = await started(flags, { outbound: reachReceivers })
  try {
    await run(service)
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

for (const [allowed_hosts, isShown] of [
  [[], false],
  [['other.example'], false],
  [['sector.example'], true],
] as const)
  pictures(`of any host are accepted, and those of ${JSON.stringify(allowed_hosts)} are named`, () =>
    withPolicy(allowed_hosts, async (service) => {
      const served = { document: '' }
      const host = await startReceiver((response) => {
        const isPicture = host.received.at(-1)?.path.endsWith('.png') === true
        response.setHeader('Content-Type', isPicture ? 'image/png' : 'application/json')
        response.end(isPicture ? Buffer.from(picture, 'base64') : served.document)
      })
      const { origin } = new URL(host.uri)
      const client_id = `${origin}/client.json`
      const links = { logo_uri: `${origin}/logo.png`, tos_uri: `${origin}/terms` }
      served.document = JSON.stringify({ client_id, client_name: 'Calendar', redirect_uris: [callback], ...links })
      const page = await consentPage(service, client_id)
      assert.is(page.includes(`src="data:image/png;base64,${picture}"`), isShown, page)
      assert.ok(page.includes(`href="${origin}/terms"`), page)
      assert.is(host.received.filter(({ path }) => path.endsWith('.png')).length, isShown ? 1 : 0)
      await host.stop()
    }),
  )

pictures.run()
