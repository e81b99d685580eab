import * as E from 'fp-ts/lib/Either.js'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import type { Config } from '../../src/config/settings.js'
import { issueToken } from '../../src/cli/tokens.js'
import { createLog } from '../../src/observing/log.js'

const log = createLog('silent', { write: () => true, writableLength: 0 })

const configWith = (flags: Readonly<Record<string, string>>): Config => {
  const loaded = loadConfig({ flags: { port: '0', engine: 'none', ...flags }, environment: {}, readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  return loaded.right.config
}

const started = async (config: Config): Promise<Service> => {
  const service = await compose(config, { log, onFatal: () => undefined })()
  if (E.isLeft(service)) throw new Error(service.left)
  return service.right
}

const register = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/clients`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"redirect_uris":["https://client.example.com/callback"]}',
  })
  await answer.text()
  return answer.status
}

const tokenOf = (issued: E.Either<string, { readonly access_token: string }>): string =>
  E.isRight(issued) ? issued.right.access_token : `refused: ${issued.left}`

const refusalOf = (issued: E.Either<string, unknown>): string => (E.isLeft(issued) ? issued.left : 'issued')

const issue = suite<{ directory: string }>('token issue')

issue.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})

issue.after.each(({ directory }) => rmSync(directory, { recursive: true }))

issue('through the running service: the token registers one client', async ({ directory }) => {
  const config = configWith({ 'data-dir': directory })
  const { url, stop } = await started(config)
  const token = tokenOf(await issueToken(config, { scope: 'client-reg:grant:code' })())
  const statuses = [await register(url, token), await register(url, token)]
  await stop()
  assert.equal(statuses, [200, 401])
})

issue(
  'on the store, when no service runs: the token registers one client after the next start',
  async ({ directory }) => {
    const config = configWith({ 'data-dir': directory })
    await (await started(config)).stop()
    const issued = await issueToken(config, { scope: 'client-reg:grant:code', lifetime: 60 })()
    assert.is(E.isRight(issued) && issued.right.expires_in, 60)
    const { url, stop } = await started(config)
    const statuses = [await register(url, tokenOf(issued)), await register(url, tokenOf(issued))]
    await stop()
    assert.equal(statuses, [200, 401])
  },
)

issue('an unknown scope is refused alike in both ways', async ({ directory }) => {
  const config = configWith({ 'data-dir': directory })
  const { stop } = await started(config)
  const through = refusalOf(await issueToken(config, { scope: 'unknown' })())
  await stop()
  const onStore = refusalOf(await issueToken(config, { scope: 'unknown' })())
  assert.match(through, 'scope')
  assert.is(onStore, through)
})

issue('the master token known by its SHA-256 registers; a command through the service needs none', async (context) => {
  const token = 'operator'.repeat(5)
  const digest = createHash('sha256').update(token).digest('hex')
  const config = configWith({ 'data-dir': context.directory, 'master-token-sha256': digest })
  const { url, stop } = await started(config)
  const registered = await register(url, token)
  const status = await register(url, tokenOf(await issueToken(config, { scope: 'client-reg' })()))
  await stop()
  assert.equal([registered, status], [200, 200])
})

issue('on the port the master token is asked as ever, and what comes by the socket needs none', async (context) => {
  const config = configWith({ 'data-dir': context.directory, 'management-port': '0' })
  const { url, managementUrl, stop } = await started(config)
  const answers = await Promise.all(
    [`${url}/clients`, `${String(managementUrl)}/clients`, `${String(managementUrl)}/keys`].map((each) => fetch(each)),
  )
  const judgement = `${String(managementUrl)}/registration-policy/judgement`
  const headers = { 'Content-Type': 'application/json' }
  const judged = await fetch(judgement, { method: 'POST', headers, body: '{}' })
  const issued = await issueToken(config, { scope: 'client-reg' })()
  await stop()
  assert.equal(
    [...answers, judged].map(({ status }) => status),
    [401, 401, 401, 401],
  )
  assert.ok(E.isRight(issued))
})

issue('a base URL with a path is served under that path', async ({ directory }) => {
  const config = configWith({ 'data-dir': directory, 'base-url': 'https://id.example/oauth' })
  const { url, baseUrl, stop } = await started(config)
  const token = tokenOf(await issueToken(config, { scope: 'client-reg' })())
  const status = await register(url, token)
  await stop()
  assert.is(baseUrl, 'https://id.example/oauth')
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/oauth$/)
  assert.is(status, 200)
})

issue.run()
