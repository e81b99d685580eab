// The site of docs/: it is built without a network, its sidebar has every page, its search finds them, and it loads nothing
// from elsewhere.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { browserSuite, openPage } from '../../packages/app/test/browser/support/browser.js'
import { markdownIn } from '../../packages/app/test/support/documented-commands.js'

const folder = mkdtempSync(join(tmpdir(), 'clientele-site-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const build = spawnSync(process.execPath, [fileURLToPath(new URL('../site.mjs', import.meta.url)), folder], {
  encoding: 'utf8',
  timeout: 240_000,
  // No request leaves the machine.
  env: { ...process.env, HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' },
})

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const filesWith = (ending: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))

/** The pages of docs/, except the front page and the records of decisions, as the site names them. */
const pages = markdownIn('docs')
  .map((file) => file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md'))
  .filter((name) => name !== 'index.md' && !/^decisions\/(?!index)/.test(name))
  .map((name) => name.replace(/(index)?\.md$/, (_, index?: string) => (index === undefined ? '.html' : '')))

const Site = suite('the site of docs/')

Site('is built', () => {
  assert.is(build.status, 0, build.stdout + build.stderr)
  assert.ok(filesWith('.html').length > pages.length)
})

Site('has every page in the sidebar of every page', () => {
  const sidebars = ['index.html', 'start/run.html', 'decisions/index.html'].map(
    (name) => /<aside class="VPSidebar"[\s\S]*?<\/aside>/.exec(read(name))?.[0] ?? '',
  )
  for (const sidebar of sidebars)
    for (const page of pages) assert.ok(sidebar.includes(`href="/${page}"`), `${page} is not in the sidebar`)
})

const require = createRequire(fileURLToPath(import.meta.resolve('vitepress/package.json')))

type Found = { readonly id: string }
type Index = { readonly search: (words: string) => ReadonlyArray<Found> }
type Indexes = { readonly loadJSON: (text: string, options: object) => Index }

const openIndex = async (): Promise<Index> => {
  const [name = ''] = filesWith('.js').filter((each) => each.includes('@localSearchIndexroot'))
  const { default: text }: { default: string } = await import(pathToFileURL(join(folder, name)).href)
  const miniSearch: Indexes = require('minisearch')
  return miniSearch.loadJSON(text, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })
}

Site('finds the page of a subject', async () => {
  const index = await openIndex()
  const wanted = {
    'encryption key rotate': '/operate/security.html',
    post_logout_redirect_uri: '/use/logout.html',
    'Idempotency-Key': '/use/register.html',
    'PgBouncer transaction mode': '/operate/several-instances.html',
    'MCP Inspector': '/start/mcp.html',
  }
  for (const [words, page] of Object.entries(wanted)) {
    const found = index.search(words).slice(0, 5)
    assert.ok(
      found.some(({ id }) => id.startsWith(page)),
      `${words}: ${JSON.stringify(found.map(({ id }) => id))}`,
    )
  }
})

Site('has an anchor for each link of its pages to an anchor', () => {
  for (const name of filesWith('.html'))
    for (const [, page = '', anchor = ''] of read(name).matchAll(/<a href="(\/[^"#]*)#([^"]+)"/g)) {
      const file = page.endsWith('/') ? `${page}index.html` : page
      assert.ok(read(file).includes(`id="${decodeURIComponent(anchor)}"`), `${name}: ${page}#${anchor}`)
    }
})

Site('loads nothing from elsewhere', () => {
  for (const name of filesWith('.html'))
    for (const [element] of read(name).matchAll(/<(?:script|link|img|source|iframe|audio|video|embed|object)\b[^>]*>/g))
      assert.not.match(element, /(?:src|href|data|srcset)="(?:[a-z]+:)?\/\//, `${name}: ${element}`)
  for (const name of filesWith('.css'))
    assert.not.match(read(name), /(?:url\(\s*["']?|@import\s+["'])(?:[a-z]+:)?\/\//, name)
})

Site.run()

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const serve = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (!existsSync(file)) return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return `http://127.0.0.1:${address.port}`
}

const Reading = browserSuite('the site of docs/ in a browser')

Reading('a reader searches, and goes to the page; all requests are to the site', async (browser) => {
  const origin = await serve()
  const page = await openPage(browser, { width: 1200 })
  const requested: Array<string> = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(`${origin}/operate/security.html`)
  await page.click('#local-search button')
  await page.fill('#localsearch-input', 'idempotency-key')
  await page.click('#localsearch-list a[href*="use/register"]')
  await page.waitForURL(/\/use\/register/)
  // The address changes before the page is drawn.
  await page.getByRole('heading', { level: 1, name: 'Register' }).waitFor()
  assert.ok(requested.length > 10)
  for (const url of requested) assert.ok(url.startsWith(`${origin}/`) || url.startsWith('data:'), url)
})

Reading.run()
