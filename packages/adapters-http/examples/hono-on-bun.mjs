// The service within a Hono application, on Bun or any runtime that has Request and Response:
// MASTER_TOKEN=… bun packages/adapters-http/examples/hono-on-bun.mjs
import { createPageRenderer } from '@clientele/adapters-http'
import { createPublicHandler, defaultKeySettings, settingsWithDefaults } from '@clientele/adapters-http/fetch'
import { inMemoryPorts } from '@clientele/adapters-memory/host'
import * as E from 'fp-ts/lib/Either.js'
import { Hono } from 'hono'

const port = Number(process.env.PORT ?? 3000)
const baseUrl = `http://127.0.0.1:${port}/op`

const pages = createPageRenderer()
if (E.isLeft(pages)) throw new Error(pages.left.description)
const ports = inMemoryPorts({
  renderPage: pages.right,
  keySettings: { ...defaultKeySettings, signingAlgorithms: ['ES256'] },
})
await ports.reconcileKeys()
setInterval(ports.reconcileKeys, 60_000)

if (process.env.MASTER_TOKEN === undefined) throw new Error('MASTER_TOKEN must be set')
const settings = settingsWithDefaults(baseUrl, ports.service.hashToken(process.env.MASTER_TOKEN))
const handler = createPublicHandler(settings, ports, { withOperators: false })

const app = new Hono()
app.get('/', (c) => c.text('an application with a provider at /op'))
// The path is unchanged, because it contains the prefix /op of the base URL.
app.all('/op/*', (c) => handler(c.req.raw))
app.all('/.well-known/oauth-authorization-server/op', (c) => handler(c.req.raw))

console.log(`ready ${baseUrl}`)
export default { port, hostname: '127.0.0.1', fetch: app.fetch }
