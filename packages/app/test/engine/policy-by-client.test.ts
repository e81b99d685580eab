// What the registration policy says of single clients, at the doors: docs/operate/security.md#registration-policy.
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { readFile } from '../../src/config/files.js'
import { loadConfig } from '../../src/config/load-config.js'
import { post, started } from '../cli/run.js'
import { type Receiver, reachReceivers, startReceiver } from '../support/receivers.js'
import { masterToken } from '../support/two-services.js'
import { Browser, consented, endUser, goThrough } from './support/browser.js'
import {
  type Application,
  callback,
  confidential,
  configured,
  configuredAs,
  configuredFor,
  introspected,
  refused,
  signIn,
} from './support/relying-party.js'

const files = 'https://files.example/mcp'
const mail = 'https://mail.example/'

const bounded = {
  client_id: 'bounded-client',
  scope: ['openid', 'orders', 'files:read'],
  resources: [files],
  access_token_lifetime: 60,
  refresh_token_lifetime: 600,
}
const loose = { client_id: 'loose-client', access_token_lifetime: 31_536_000, refresh_token_lifetime: 31_536_000 }
const ofFirstParty = ['own-application', 'own-that-changes', 'own-on-device', 'taken-by-another'].map((client_id) => ({
  client_id,
  skip_consent: true,
}))

type World = {
  readonly service: Service
  readonly host: Receiver
  readonly publish: (path: string, document: object) => string
  /** Puts a policy in force, with these entries. */
  readonly reload: (clients: ReadonlyArray<object>) => void
  readonly stop: () => Promise<void>
}

const policies = suite<World>('the registration policy by client')

policies.before(async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const file = join(directory, 'policy.json')
  const setPolicy = (clients: ReadonlyArray<object>): void =>
    writeFileSync(
      file,
      JSON.stringify({ clients, metadata_documents: { accept: 'any', least_freshness: 1, greatest_freshness: 1 } }),
    )
  const documents = new Map<string, string>()
  const host = await startReceiver((response) => {
    const document = documents.get((host.received.at(-1)?.path ?? '').replace('GET ', ''))
    response.setHeader('Content-Type', 'application/json')
    response.writeHead(document === undefined ? 404 : 200).end(document ?? '{}')
  })
  const { origin } = new URL(host.uri)
  const publish = (path: string, document: object): string => {
    const client_id = `${origin}${path}`
    documents.set(path, JSON.stringify({ client_id, ...document }))
    return client_id
  }
  setPolicy([bounded, loose, ...ofFirstParty])
  const given = {
    port: '0',
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    'registration-status': '201',
    'registration-policy': file,
    'outbound-fetches': 'true',
    'access-token-lifetime': '900',
    'refresh-token-lifetime': '86400',
    'rotate-refresh-tokens': 'false',
  }
  const readConfig = () => {
    const loaded = loadConfig({ flags: given, environment: {}, readFile })
    return E.isLeft(loaded) ? E.left(['the settings cannot be read']) : E.right(loaded.right.config)
  }
  const service = await started(given, { readConfig, outbound: reachReceivers })
  const reload = (clients: ReadonlyArray<object>): void => {
    setPolicy(clients)
    service.reload?.(true)
  }
  const stop = async (): Promise<void> => {
    await service.stop()
    await host.stop()
    rmSync(directory, { recursive: true })
  }
  Object.assign(context, { service, host, publish, reload, stop })
})
policies.after(({ stop }) => stop())

const application = { ...confidential, scope: 'openid offline_access email orders files:read files:write' }

const registeredAs = (service: Service, preferred_client_id: string, more = {}): Promise<Application> =>
  configured(service, { ...application, preferred_client_id, ...more })

type Asked = { readonly error: string; readonly description: string }

/** The answer of the authorization endpoint; that to a document without an approval is a page. */
const asked = async (
  service: Service,
  { request }: Application,
  parameters: Readonly<Record<string, string>>,
): Promise<Asked> => {
  const { end, page } = await goThrough(new Browser(), service, (await request(parameters)).url)
  const [, error = 'none', description = ''] =
    /<bdi dir="ltr">(\w+)<\/bdi><\/span> <bdi dir="ltr">([^<]*)/.exec((await page?.text()) ?? '') ?? []
  return {
    error: end?.searchParams.get('error') ?? error,
    description: end?.searchParams.get('error_description') ?? description,
  }
}

const bothOf: { bounded?: Application; free?: Application } = {}

const both = async (service: Service): Promise<readonly [Application, Application]> => {
  bothOf.bounded ??= await registeredAs(service, bounded.client_id)
  // Another spelling is another client.
  bothOf.free ??= await registeredAs(service, 'Bounded-client')
  return [bothOf.bounded, bothOf.free]
}

policies('an authorization request beyond the entry is refused, of that client alone', async ({ service }) => {
  const [one, free] = await both(service)
  const beyond = await asked(service, one, { scope: 'openid email' })
  assert.is(beyond.error, 'invalid_scope')
  assert.match(beyond.description, 'let the operator add it to scope of the entry in clients about this client')
  assert.is((await asked(service, free, { scope: 'openid email' })).error, 'none')
  const pushed = client.buildAuthorizationUrlWithPAR(one.config, { redirect_uri: callback, scope: 'openid email' })
  assert.is(await refused(pushed), 'invalid_scope')
  const elsewhere = await asked(service, one, { scope: 'openid', resource: mail })
  assert.is(elsewhere.error, 'invalid_target')
  assert.match(elsewhere.description, 'resource is not one that the registration policy gives this client')
  assert.is((await asked(service, free, { scope: 'openid', resource: mail })).error, 'none')
  assert.is((await asked(service, one, { scope: 'openid files:read', resource: files })).error, 'none')
})

policies('a client gets no more for itself, and for no longer', async ({ service }) => {
  const [one, free] = await both(service)
  const granted = ({ config }: Application, parameters: Record<string, string>) =>
    client.clientCredentialsGrant(config, parameters)
  assert.is(await refused(granted(one, { scope: 'files:write' })), 'invalid_scope')
  assert.is(await refused(granted(one, { scope: 'orders', resource: mail })), 'invalid_target')
  const tokens = await granted(one, { scope: 'orders' })
  assert.equal([tokens.scope, tokens.expires_in], ['orders', 60])
  const { exp = 0, iat = 0 } = await introspected(one, tokens.access_token)
  assert.is(exp - iat, 60)
  assert.is((await granted(one, { scope: 'files:read', resource: files })).expires_in, 60)
  assert.is((await granted(free, { scope: 'files:write' })).expires_in, 900)
})

const refreshTokenLifetime = async (application: Application, token = ''): Promise<number> => {
  const { exp = 0, iat = 0 } = await introspected(application, token)
  return exp - iat
}

policies(
  'tokens of an end-user live as long as the entry says, and never longer than the settings',
  async ({ service }) => {
    const [one, free] = await both(service)
    const wide = await registeredAs(service, loose.client_id)
    for (const [each, access, refresh] of [
      [one, 60, 600],
      [free, 900, 86_400],
      [wide, 900, 86_400],
    ] as const) {
      const { tokens } = await signIn(service, each, new Browser(), { scope: 'openid' })
      assert.is(tokens.expires_in, access)
      assert.is(await refreshTokenLifetime(each, tokens.refresh_token), refresh)
      const refreshed = await client.refreshTokenGrant(each.config, String(tokens.refresh_token))
      assert.is(refreshed.expires_in, access)
    }
  },
)

policies('a reload counts for the next token, also by an earlier grant', async ({ service, reload }) => {
  const [one] = await both(service)
  const parameters = { scope: 'openid files:read', resource: files }
  const { tokens } = await signIn(service, one, new Browser(), parameters, undefined, { resource: files })
  const refreshedWith = async (entry: object) => {
    reload([{ ...bounded, ...entry }])
    return client.refreshTokenGrant(one.config, String(tokens.refresh_token), { resource: files })
  }
  try {
    assert.is((await refreshedWith({ access_token_lifetime: 30 })).expires_in, 30)
    assert.is((await refreshedWith({ scope: ['openid'] })).scope ?? '', '')
    assert.is(await refused(refreshedWith({ resources: [] })), 'invalid_target')
    assert.is((await refreshedWith({})).scope, 'files:read')
  } finally {
    reload([bounded, loose, ...ofFirstParty])
  }
})

policies(
  'an ID token has no more than the entry gives at present, by an earlier code or refresh token',
  async (world) => {
    const { service, reload } = world
    const [one] = await both(service)
    const wide = { ...bounded, scope: [...bounded.scope, 'email'] }
    const parameters = { scope: 'openid email files:read', resource: files }
    const answers = { login: endUser('zoe', { email: 'zoe@rp.example' }), consent: consented }
    const narrowTo = (scope: ReadonlyArray<string>) => reload([{ ...bounded, scope }])
    try {
      reload([wide])
      const { tokens } = await signIn(service, one, new Browser(), parameters, answers, { resource: files })
      assert.is(tokens.claims()?.['email'], 'zoe@rp.example')
      const refreshed = () => client.refreshTokenGrant(one.config, String(tokens.refresh_token), { resource: files })
      assert.is((await refreshed()).claims()?.['email'], 'zoe@rp.example')
      narrowTo(['openid', 'files:read'])
      const claims = (await refreshed()).claims()
      assert.ok(claims?.sub)
      assert.not('email' in claims)
      narrowTo(['files:read'])
      assert.is((await refreshed()).id_token, undefined)
      assert.is((await introspected(one, String(tokens.refresh_token))).scope, 'files:read')
      reload([wide])
      const { url, checks } = await one.request(parameters)
      const { end } = await goThrough(new Browser(), service, url, answers)
      assert.ok(end)
      narrowTo(['openid', 'files:read'])
      const byCode = await client.authorizationCodeGrant(one.config, end, checks, { resource: files })
      assert.not('email' in (byCode.claims() ?? { email: 'no ID token' }))
    } finally {
      reload([bounded, loose, ...ofFirstParty])
    }
  },
)

policies('a refresh token in place of another has what the entry gives, and ends with the session', async (world) => {
  const { service, reload } = world
  const client_id = 'rotating-client'
  const rotating = await registeredAs(service, client_id, {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  })
  const browser = new Browser()
  const offline = { scope: 'openid offline_access', prompt: 'consent' }
  const refreshed = (token: string | undefined, parameters = {}) =>
    client.refreshTokenGrant(rotating.config, String(token), parameters)
  const signInAs = (sub: string) =>
    signIn(
      service,
      rotating,
      browser,
      { scope: 'openid', prompt: 'login' },
      { login: endUser(sub), consent: consented },
    )
  try {
    const { tokens } = await signIn(service, rotating, browser, offline)
    const { tokens: kept } = await signIn(service, rotating, browser, offline)
    reload([{ client_id, scope: ['openid'] }])
    const { refresh_token } = await refreshed(tokens.refresh_token)
    assert.is.not(refresh_token, tokens.refresh_token)
    reload([])
    assert.is(await refused(refreshed(refresh_token, { scope: 'openid offline_access' })), 'invalid_scope')
    await signInAs('other')
    assert.is(await refused(refreshed(refresh_token)), 'invalid_grant')
    reload([{ client_id, scope: ['openid'] }])
    assert.is(await refused(refreshed(kept.refresh_token)), 'invalid_grant')
    reload([])
    assert.ok((await refreshed(kept.refresh_token)).refresh_token)
  } finally {
    reload([bounded, loose, ...ofFirstParty])
  }
})

policies('a request that waits for the end-user is judged by the policy of its end', async ({ service, reload }) => {
  const [one] = await both(service)
  const browser = new Browser()
  try {
    reload([{ ...bounded, scope: ['openid', 'email'] }])
    const { url: wide } = await one.request({ scope: 'openid email' })
    const waiting = (await browser.open(wide)).headers.get('location')
    reload([bounded])
    const { end } = await goThrough(browser, service, new URL(String(waiting), service.url).href)
    assert.is(end?.searchParams.get('error'), 'invalid_scope')
    assert.not(end?.searchParams.has('code'))
  } finally {
    reload([bounded, loose, ...ofFirstParty])
  }
})

policies('an own update stays within the entry, and one of the operator may exceed it', async ({ service }) => {
  const [{ registered }] = await both(service)
  const put = async (token: string, scope: string) => {
    const answer = await fetch(`${service.url}/clients/${registered.client_id}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...application, scope }),
    })
    const json = (await answer.json()) as Record<string, string>
    return { status: answer.status, description: json['error_description'] ?? '', json }
  }
  const beyond = await put(registered.registration_access_token, 'openid email')
  assert.is(beyond.status, 403)
  assert.match(beyond.description, /^scope: beyond the entry in clients of the registration policy about this client/)
  assert.is((await put(masterToken, application.scope)).status, 200)
})

/** Signs in, and opens the page that would ask for consent. */
const consentOf = async (service: Service, url: string, sub: string): Promise<'asked' | 'not asked' | 'refused'> => {
  const browser = new Browser()
  for (let next = url; ;) {
    if (!next.startsWith(`${service.url}/`)) return new URL(next).searchParams.has('code') ? 'not asked' : 'refused'
    const [, id] = /\/interaction\/([A-Za-z0-9_-]+)$/.exec(next) ?? []
    const { interactions } = service.provider
    assert.ok(interactions)
    const cookies = { cookie: browser.cookieFor(next) }
    const found = id === undefined ? undefined : await interactions.findInteraction(id, cookies)()
    if (id !== undefined && found !== undefined && E.isRight(found) && found.right.prompt === 'login') {
      const answered = await interactions.answerInteraction(id, cookies, endUser(sub))()
      if (E.isLeft(answered)) throw new Error(JSON.stringify(answered.left))
      browser.take(answered.right.setCookies)
      next = new URL(answered.right.location, service.url).href
      continue
    }
    const response = await browser.open(next)
    const location = response.headers.get('location')
    if (location === null) return (await response.text()).includes('name="answer"') ? 'asked' : 'refused'
    next = new URL(location, next).href
  }
}

const asksFor = async (service: Service, { request }: Application, parameters = {}): Promise<string> =>
  consentOf(service, (await request({ scope: 'openid', ...parameters })).url, 'zoe')

policies('a client with skip_consent is not asked for, unless something demands it', async ({ service }) => {
  const own = await registeredAs(service, 'own-application')
  const other = await registeredAs(service, 'own-application-of-another')
  assert.is(await asksFor(service, own), 'not asked')
  assert.is(await asksFor(service, own, { scope: 'openid email' }), 'not asked')
  assert.is(await asksFor(service, own, { prompt: 'consent' }), 'asked')
  assert.is(await asksFor(service, own, { prompt: 'consent', scope: 'openid offline_access' }), 'asked')
  assert.is(await asksFor(service, other), 'asked')
  // RFC 8252 §8.6: another application on the device may have the same client_id.
  const onDevice = await registeredAs(service, 'own-on-device', {
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1/cb'],
    post_logout_redirect_uris: [],
  })
  assert.is(await asksFor(service, onDevice, { redirect_uri: 'http://127.0.0.1/cb' }), 'asked')
})

policies(
  'an end-user who knows a client with skip_consent is asked after it became another one',
  async ({ service }) => {
    const own = await registeredAs(service, 'own-that-changes')
    assert.is(await asksFor(service, own), 'not asked')
    const { client_id, registration_access_token } = own.registered
    const answer = await fetch(`${service.url}/clients/${client_id}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${registration_access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...application, client_name: 'Another application' }),
    })
    assert.is(answer.status, 200)
    assert.is(await asksFor(service, own), 'asked')
  },
)

policies('after the end of the entry, the page is back for all who never saw it', async ({ service, reload }) => {
  const client_id = 'own-for-a-time'
  const own = await registeredAs(service, client_id)
  const as = async (sub: string, scope: string) => consentOf(service, (await own.request({ scope })).url, sub)
  const allow = (sub: string, scope: string) =>
    signIn(service, own, new Browser(), { scope }, { login: endUser(sub), consent: consented })
  try {
    await allow('knows', 'openid')
    await allow('knows-less', 'openid')
    reload([{ client_id, skip_consent: true }])
    assert.is(await as('new', 'openid'), 'not asked')
    assert.is(await as('knows', 'openid'), 'not asked')
    assert.is(await as('knows-less', 'openid email'), 'not asked')
    assert.is(await as('new', 'openid'), 'not asked')
    reload([])
    assert.is(await as('new', 'openid'), 'asked')
    assert.is(await as('knows', 'openid'), 'not asked')
    assert.is(await as('knows-less', 'openid email'), 'asked')
    await allow('new', 'openid')
    assert.is(await as('new', 'openid'), 'not asked')
  } finally {
    reload([bounded, loose, ...ofFirstParty])
  }
})

policies('a client of the name that another registrant took is asked for', async ({ service }) => {
  const answer = await post(`${service.url}/direct-authz`, masterToken, { scope: 'client-reg' })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  const sent = { ...confidential, preferred_client_id: 'taken-by-another' }
  const taken = await configuredAs(service, sent, access_token)
  assert.is(taken.registered.client_id, 'taken-by-another')
  assert.is(await asksFor(service, taken), 'asked')
})

const documentOf = (client_name: string) => ({
  client_name,
  redirect_uris: [callback],
  scope: 'openid orders',
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
})

policies('an entry about a document is about its URL, and about no other one of its host', async (world) => {
  const { service, publish, reload } = world
  const [one, other] = ['/one.json', '/one.json/two.json'].map((path) => publish(path, documentOf('Calendar')))
  assert.ok(one && other)
  const appOf = (client_id: string) =>
    configuredFor(
      service,
      { token_endpoint_auth_method: 'none' },
      {
        client_id,
        client_secret: '',
        registration_access_token: '',
      },
    )
  const orders = { scope: 'openid orders', resource: files }
  const entry = { client_id: one, scope: ['openid', 'orders'], skip_consent: true, access_token_lifetime: 120 }
  try {
    assert.is((await asked(service, await appOf(one), orders)).error, 'invalid_scope')
    reload([entry])
    assert.is((await asked(service, await appOf(other), orders)).error, 'invalid_scope')
    const requestOf = async (id: string, sub: string) =>
      consentOf(service, (await (await appOf(id)).request({ scope: 'openid' })).url, sub)
    // The first end-user approves the document, which no client is stored of yet.
    assert.is(await requestOf(one, 'first'), 'asked')
    const { tokens } = await signIn(service, await appOf(one), new Browser(), orders, undefined, { resource: files })
    assert.equal([tokens.scope, tokens.expires_in], ['orders', 120])
    assert.is(await requestOf(one, 'second'), 'not asked')
    await signIn(service, await appOf(other), new Browser(), { scope: 'openid' })
    assert.is(await requestOf(other, 'second'), 'asked')
    publish('/one.json', documentOf('Another calendar'))
    await setTimeout(1_100)
    assert.is(await requestOf(one, 'third'), 'asked')
    // Whoever has the host would answer for all.
    publish('/one.json', {
      ...documentOf('Calendar'),
      redirect_uris: [callback, 'https://evil.example/cb'],
    })
    await setTimeout(1_100)
    assert.is(await requestOf(one, 'third'), 'refused')
    publish('/one.json', documentOf('Calendar'))
    await setTimeout(1_100)
    assert.is(await requestOf(one, 'third'), 'not asked')
    reload([])
    assert.is(await requestOf(one, 'fourth'), 'asked')
    assert.is((await asked(service, await appOf(one), orders)).error, 'invalid_scope')
  } finally {
    reload([bounded, loose, ...ofFirstParty])
  }
})

policies('the operator reads which entry bounds a client, and how', async ({ service }) => {
  const [one, free] = await both(service)
  const read = async ({ registered }: Application): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { Authorization: `Bearer ${masterToken}` }
    const answer = await fetch(`${service.url}/manage/v1/clients/${registered.client_id}`, { headers })
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
  assert.equal((await read(one))['policy_entry'], {
    pointer: '/clients/0',
    ...bounded,
    effects: [
      'it gets no scope values but these: openid orders files:read',
      `it gets tokens for no resources but these: ${files}`,
      'its access tokens live 60 seconds, or less where the service says less',
      'its refresh tokens live 600 seconds, or less where the service says less',
    ],
  })
  assert.not('policy_entry' in (await read(free)))
})

policies.run()
