// A login by a page of the host, or by its functions, at the service of its settings.
import type { LoginElsewhere } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { createLog } from '../../src/observing/log.js'
import { startText } from '../../src/cli/serve.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { started } from '../cli/run.js'
import { discard, newDataDir } from '../support/service.js'

const Callback = suite<{ directory: string }>('login callback')

Callback.before.each((context) => {
  context.directory = newDataDir()
})
Callback.after.each(({ directory }) => discard(directory))

const secret = 'a secret of the page and the service, 32 octets at least'
const examplePage = fileURLToPath(new URL('../../examples/login-page.mjs', import.meta.url))

const startPage = async (page: string, issuer: string, key = secret): Promise<ChildProcess> => {
  const env = { ...process.env, ISSUER: issuer, PAGE: page, LOGIN_PAGE_SECRET: key }
  const child = spawn(process.execPath, [examplePage], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const loginOf = ({ login }: Service): LoginElsewhere => {
  if (login?.kind !== 'elsewhere') throw new Error('no login elsewhere')
  return login.parties[0]
}

const redirectUri = 'http://localhost/login/callback'
const request = { interaction: 'i-1', redirectUri, loginHint: undefined, uiLocales: undefined }

const begin = async (login: LoginElsewhere) => {
  const begun = await login.begin(request)()
  if (E.isLeft(begun)) throw new Error(JSON.stringify(begun.left))
  return begun.right
}

const visit = async (location: string, headers: Readonly<Record<string, string>> = {}) => {
  const { headers: answered, status } = await fetch(location, { redirect: 'manual', headers })
  assert.is(status, 303)
  return Object.fromEntries(new URL(answered.get('Location') ?? '').searchParams)
}

const outcomeOf = async (login: LoginElsewhere, state: string, parameters: Readonly<Record<string, string>>) => {
  const completed = await login.complete({ state, parameters, redirectUri })()
  if (E.isRight(completed)) return `${completed.right.interaction} ${completed.right.endUser.sub}`
  return completed.left.error === 'login_refused' ? completed.left.reason : 'unavailable'
}

Callback(
  'the page of the example signs in, also over a restart of the service; what is not signed for it is refused',
  async ({ directory }) => {
    const page = `http://127.0.0.1:${await freePort()}/login`
    const port = String(await freePort())
    const flags = {
      'data-dir': directory,
      port,
      login: 'callback',
      'login-page-url': page,
      'login-page-secret': secret,
    }
    const first = await started(flags)
    const child = await startPage(page, first.baseUrl)
    const { location, state } = await begin(loginOf(first))
    const mine = await visit(location)
    assert.is(await outcomeOf(loginOf(first), state, mine), 'i-1 alice')
    await first.stop()
    const second = await started(flags)
    try {
      const login = loginOf(second)
      assert.is(await outcomeOf(login, state, mine), 'i-1 alice', 'any instance completes the login')
      const other = await begin(login)
      assert.match(await outcomeOf(login, other.state, mine), /another login/)
      assert.match(await outcomeOf(login, other.state, { ...mine, state: other.handle }), /nonce/)
      const denied = await visit(other.location, { 'x-nobody': '1' })
      assert.match(await outcomeOf(login, other.state, denied), /error access_denied$/)
      assert.is((await fetch(`${page}?request=${mine['response'] ?? ''}`)).status, 400, 'a response is no request')
      assert.is((await fetch(page)).status, 400)
    } finally {
      child.kill()
      await second.stop()
    }
  },
)

Callback('a page with another secret signs denied in', async ({ directory }) => {
  const page = `http://127.0.0.1:${await freePort()}/login`
  const service = await started({
    'data-dir': directory,
    login: 'callback',
    'login-page-url': page,
    'login-page-secret': secret,
  })
  const child = await startPage(page, service.baseUrl, `${secret}!`)
  try {
    const { location, state } = await begin(loginOf(service))
    assert.match(await outcomeOf(loginOf(service), state, await visit(location)), /not signed with its configured key/)
  } finally {
    child.kill()
    await service.stop()
  }
})

Callback('functions of the host sign in, in place of the setting', async ({ directory }) => {
  const service = await started(
    { 'data-dir': directory, login: 'development' },
    {
      login: {
        begin: async ({ handle }) => ({ location: `https://host.example/?state=${handle}`, memo: 'memo' }),
        complete: async ({ parameters, memo }) => ({ sub: `${parameters['user'] ?? ''} ${memo}` }),
      },
    },
  )
  try {
    const login = loginOf(service)
    const { handle, state } = await begin(login)
    assert.is(await outcomeOf(login, state, { state: handle, user: 'ada' }), 'i-1 ada memo')
    assert.is(service.accounts, undefined)
  } finally {
    await service.stop()
  }
})

Callback(
  'an upstream provider that is away does not stop the start, and is logged with the remedy of waiting',
  async ({ directory }) => {
    const lines: Array<string> = []
    const port = await freePort()
    const service = await started(
      {
        'data-dir': directory,
        login: 'upstream',
        'upstream-issuer': `https://127.0.0.1:${port}`,
        'upstream-client-id': 'clientele',
        'upstream-client-secret': 'secret',
        'outbound-allowed-networks': '127.0.0.0/8',
      },
      { log: createLog('warn', { write: (line) => lines.push(line) > 0, writableLength: 0 }) },
    )
    try {
      assert.match(startText(service), /^Clientele at /)
      const refused = await loginOf(service).begin(request)()
      assert.ok(E.isLeft(refused) && refused.left.error === 'unavailable')
      assert.match(lines.join(''), /ECONNREFUSED.*nobody can sign in with it until it does/)
      assert.not.match(lines.join(''), /"secret"/)
    } finally {
      await service.stop()
    }
  },
)

Callback.run()
