import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page, Route } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { browserSuite, openPage } from '../../packages/app/test/browser/support/browser.js'
import { binaryOf, fetchRuntimes } from '../runtimes/binaries.mjs'

// The examples of the domain, each in its environment.
const examples = fileURLToPath(new URL('../../packages/domain/examples/', import.meta.url))

fetchRuntimes(['Bun'])
const Examples = suite('the examples of the domain')

const output = (binary: string, file: string): string => {
  const { status, stdout, stderr } = spawnSync(binary, [join(examples, file)], { encoding: 'utf8', timeout: 120_000 })
  assert.is(status, 0, stderr)
  return stdout
}

for (const file of ['decide-registration.mjs', 'outside/program.mjs'])
  Examples(`${file} runs in Bun as in Node`, () => {
    const bun = binaryOf('Bun')
    assert.ok(bun !== undefined)
    const [first = ''] = output(process.execPath, file).split('\n')
    assert.match(first, 'registered: ')
    assert.is(output(bun, file).split('\n')[0], first)
  })

Examples.run()

const InBrowser = browserSuite('a page that decides registrations')

const script = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(examples, 'browser/decide.mjs')],
    bundle: true,
    write: false,
    format: 'esm',
    alias: { 'fp-ts/lib': 'fp-ts/es6', 'io-ts': 'io-ts/es6' },
    absWorkingDir: join(examples, '..'),
  })
  return outputFiles[0]?.text ?? ''
}

const decided = (page: Page): Promise<string> => page.locator('#decision').innerText()

InBrowser('decides while somebody types, and asks nobody', async (browser) => {
  const page = await openPage(browser)
  const answers: Readonly<Record<string, { readonly contentType: string; readonly body: string }>> = {
    '/': { contentType: 'text/html', body: readFileSync(join(examples, 'browser/index.html'), 'utf8') },
    '/decide.js': { contentType: 'text/javascript', body: await script() },
  }
  const requested: Array<string> = []
  await page.route('**/*', (route: Route) => {
    const { pathname } = new URL(route.request().url())
    requested.push(pathname)
    return route.fulfill(answers[pathname] ?? { status: 404 })
  })
  await page.goto('http://localhost/')
  assert.is(await decided(page), 'registered: authorization_code')
  await page.fill('#body', '{ "redirect_uris": ["https://rp.example/callback#here"] }')
  assert.match(await decided(page), 'refused: invalid_redirect_uri, an entry of redirect_uris must not have a fragment')
  await page.fill('#body', '{ "grant_types": ["password"] }')
  assert.match(await decided(page), 'refused: insufficient_scope')
  await page.fill('#scope', 'client-reg')
  assert.is(await decided(page), 'registered: password')
  await page.fill('#body', '{')
  assert.match(await decided(page), 'refused: invalid_request')
  assert.equal(requested, ['/', '/decide.js'])
})

InBrowser.run()
