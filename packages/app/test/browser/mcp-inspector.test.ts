// The steps of MCP Inspector in a browser: discovery, registration, authorization, tokens, and a call of the protected
// server, all from the page of its origin; and the same with the URL of a metadata document in place of a registration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { type DocumentServer, acceptDocuments, startDocumentServer } from '../sign-in/support/document-server.js'
import { type Json, developerIn } from '../sign-in/support/provider.js'
import { corpus } from '../support/corpus.js'
import { type Started, commandsIn, serviceReady, startCommand } from '../support/documented-commands.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { browserSuite, openPage } from './support/browser.js'
import { inspectorPage } from './support/inspector-page.js'
import { openSite } from './support/loopback-site.js'

const inspector = browserSuite('MCP Inspector')

const [start = '', serve = ''] = commandsIn('docs/start/mcp.md')
// Its port is 6274, unless its user chooses another.
const bodyAt = (origin: string): Json => {
  const body = corpus.find(({ file }) => file === 'mcp-inspector.json')?.body
  return JSON.parse(JSON.stringify(body).replaceAll('http://localhost:6274', origin)) as Json
}

type World = { readonly dataDir: string; readonly service: Started; readonly server: Started }
type Settings = Readonly<Record<string, string>>

const withServer = async (path: string, use: (world: World) => Promise<void>, more: Settings = {}): Promise<void> => {
  const dataDir = newDataDir()
  const port = `${await freePort()}`
  const base = `http://127.0.0.1:${port}${path}`
  const settings = { CLIENTELE_PORT: port, CLIENTELE_BASE_URL: base, CLIENTELE_DATA_DIR: dataDir, ...more }
  const service = await startCommand(start, serviceReady, { env: settings })
  const env = { ISSUER: base, PORT: `${await freePort()}`, TOKEN_FILE: join(dataDir, 'master-token') }
  const server = await startCommand(serve, /^MCP server at (\S+)$/m, { env })
  try {
    await use({ dataDir, service, server })
  } finally {
    await server.stop()
    await service.stop()
    discard(dataDir)
  }
}

const signIn = async (page: Page, dataDir: string): Promise<void> => {
  const { username, password } = developerIn(dataDir)
  await page.waitForSelector('input[name=password]')
  await page.fill('input[name=username]', username)
  await page.fill('input[name=password]', password)
  await page.click('button.first')
  await page.waitForSelector('button[value=allow]')
  await page.click('button[value=allow]')
}

type Outcome = { readonly value?: { sub: string; refreshed: number; again: string }; readonly error?: string }

/** The paths to which the page posted, without the protected server; `publish` gives the URL of the document, if there is one. */
const inspect = async (
  browser: Browser,
  { dataDir, server, service }: World,
  callback: string,
  publish?: (body: Json) => string,
): Promise<ReadonlyArray<string>> => {
  const page = await openPage(browser)
  const posted: Array<string> = []
  const blocked: Array<string> = []
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().startsWith(service.found)) posted.push(new URL(sent.url()).pathname)
  })
  page.on('console', (message) => /CORS|Content Security/.test(message.text()) && blocked.push(message.text()))
  const html = await inspectorPage()
  const site = await openSite(() => ({ html }))
  const origin = site.origin.replace('127.0.0.1', 'localhost')
  await page.goto(`${origin}/`)
  const body = bodyAt(origin)
  const given = [server.found, body, `${origin}${callback}`, publish?.(body) ?? null].map((each) =>
    JSON.stringify(each),
  )
  await page.evaluate(`connect(${given.join()})`)
  await signIn(page, dataDir)
  await page.waitForFunction('window.outcome')
  assert.ok(page.url().startsWith(`${origin}${callback}?code=`), page.url())
  const outcome: Outcome = await page.evaluate('window.outcome')
  const accounts = readFileSync(join(dataDir, 'accounts.json'), 'utf8')
  assert.is(outcome.error, undefined)
  assert.match(accounts, `"sub": "${String(outcome.value?.sub)}"`)
  assert.equal(outcome.value, { ...outcome.value, refreshed: 200, again: outcome.value?.sub })
  assert.equal(blocked, [])
  await site.close()
  return posted
}

for (const callback of ['/oauth/callback', '/oauth/callback/debug'])
  inspector(`it connects by ${callback}, and no answer is kept from the page`, (browser) =>
    withServer('', async (world) => {
      assert.ok((await inspect(browser, world, callback)).includes('/clients'))
    }),
  )

// RFC 8414 §3.1: /.well-known/oauth-authorization-server/tenant
inspector('it finds an issuer below a path by the well-known path before it', (browser) =>
  withServer('/tenant', async (world) => {
    await inspect(browser, world, '/oauth/callback/debug')
  }),
)

const signInByDocument = async (browser: Browser, documents: DocumentServer): Promise<void> =>
  withServer(
    '',
    async (world) => {
      const publish = (body: Json): string => documents.publish('/inspector.json', body)
      const posted = await inspect(browser, world, '/oauth/callback/debug', publish)
      assert.not.ok(posted.includes('/clients'), 'it did not register')
      assert.ok(documents.requested.includes('/inspector.json'))
      const token = readFileSync(join(world.dataDir, 'master-token'), 'utf8').trim()
      const path = `/clients/${encodeURIComponent(documents.urlOf('/inspector.json'))}`
      const { status, json } = await send({ base: world.service.found }, path, { token })
      assert.equal([status, json['client_name']], [200, 'MCP Inspector'])
    },
    acceptDocuments(),
  )

inspector(
  'it connects with the URL of a metadata document as its client_id, and registers nothing',
  async (browser) => {
    const documents = await startDocumentServer()
    await signInByDocument(browser, documents).finally(documents.stop)
  },
)

inspector.run()
