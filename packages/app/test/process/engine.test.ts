// The service with and without its authorization server, as a process.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, mainFile, startService } from '../support/service.js'

const engine = suite('the process with an authorization server')

const files = readdirSync(dirname(mainFile)).filter((name) => name.endsWith('.js'))
const textOf = (name: string): string => readFileSync(join(dirname(mainFile), name), 'utf8')
const importsOf = (name: string): ReadonlyArray<string> =>
  [...textOf(name).matchAll(/(?:from|import)\s?"\.\/([^"]+)"/g)].map(([, file = '']) => file)

const reached = (name: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
  importsOf(name).reduce<ReadonlySet<string>>(
    (found, each) => (found.has(each) ? found : reached(each, found)),
    new Set([...known, name]),
  )

engine('the program does not contain it: it is a part of its own', () => {
  const [part, ...more] = files.filter((name) => textOf(name).includes('oidc-provider WARNING'))
  assert.ok(part)
  assert.equal(more, [])
  assert.not.ok(reached('clientele.js').has(part))
})

engine('it answers, and says what it has to say in the log, not on the standard output', async () => {
  const service = await startService({ CLIENTELE_ENGINE: 'oidc-provider' })
  const metadata = (await (await fetch(`${service.base}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >
  assert.is(metadata['token_endpoint'], `${service.base}/token`)
  const refused = await fetch(`${service.base}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'x' }),
  })
  assert.is(refused.status, 400)
  assert.is(((await refused.json()) as Record<string, string>)['error'], 'invalid_client')
  await service.stop()
  const { stdout, stderr } = service.output()
  assert.not.match(stdout, /oidc-provider/)
  const warnings = stderr.split('\n').filter((line) => line.includes('"msg":"oidc-provider"'))
  // oidc-provider says at its load that it does not support this release.
  assert.is(warnings.length, Number(process.versions.node.split('.')[0]) < 22 ? 1 : 0, stderr)
  for (const each of warnings) assert.match(each, /"remedy":"[^"]*run the service on Node 22 or later"/)
  assert.match(stderr, /"route":"\/token","status":400/)
  assert.not.match(stderr, /^(?!\{)./m)
  discard(service.dataDir)
})

engine('without it, its endpoints do not exist', async () => {
  const service = await startService({ CLIENTELE_ENGINE: 'none' })
  for (const path of ['authorize', 'token', 'userinfo', 'introspect', 'revoke', 'par'])
    assert.is((await fetch(`${service.base}/${path}`)).status, 404)
  const metadata = (await (await fetch(`${service.base}/.well-known/openid-configuration`)).json()) as object
  assert.not.ok('token_endpoint' in metadata)
  await service.stop()
  discard(service.dataDir)
})

engine.run()
