import { issuableManagementPrivileges, permitsManagement } from '@clientele/domain/authorization'
import { epochSeconds } from '@clientele/domain/kernel'
import { addition, done, exampleClient, exampleConsent, giveConsent } from '@clientele/testing'
import * as fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newDataDir } from '../support/composed-service.js'
import {
  consoleTicket,
  formIn,
  operatorToken,
  registered,
  signIn,
  startConsole,
  startConsoleOnStore,
  visit,
  visitByLink,
  visitorWith,
} from './support/visitor.js'

const console_ = suite('the console')

const clock = { ahead: 0 }
const service = await startConsole({}, { now: () => epochSeconds(Date.now() + clock.ahead * 1_000) })
const { base, master } = service
const operator = await visit(base, master)

const management = async (path: string, method = 'GET'): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${base}${path}`, { method, headers: { Authorization: `Bearer ${master}` } })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

console_('without a session, every page is that of the sign-in, which leads back to where one was', async () => {
  const nobody = visitorWith(base, '')
  const { status, html } = await nobody.open('/console/keys')
  assert.is(status, 200)
  assert.match(html, 'name="token"')
  assert.match(html, 'name="next" value="/console/keys"')
  const signedIn = await signIn(base, { token: master, next: '/console/keys' })
  assert.is(signedIn.status, 303)
  assert.is(signedIn.headers.get('Location'), '/console/keys')
  const [cookie = ''] = signedIn.headers.getSetCookie()
  assert.match(cookie, /Path=\/console; HttpOnly; SameSite=Strict/)
  assert.not.match(cookie, master)
})

console_('nobody is led to another host after the sign-in', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/console/../..//evil.example', '/console/\\evil'])
    assert.is((await signIn(base, { token: master, next })).headers.get('Location'), '/console', next)
})

console_('a token that is no operator’s signs nobody in, and says which tokens do', async () => {
  const client = await registered(service, { client_name: 'Not an operator' })
  const secrets = await management(`/manage/v1/clients/${client.client_id}/secrets`)
  for (const token of ['', 'wrong', 'x'.repeat(5000), String(secrets.body['registration_access_token'])]) {
    const answer = await signIn(base, { token })
    assert.is(answer.status, 401)
    assert.is(answer.headers.get('WWW-Authenticate'), 'Form')
    assert.equal(answer.headers.getSetCookie(), [])
    assert.match(await answer.text(), 'No operator has this token')
  }
})

console_('a cookie that was changed in one place counts nowhere', async () => {
  const cookie = operator.cookie()
  for (const place of [20, cookie.length - 1, cookie.indexOf('.') + 2]) {
    const other = cookie[place] === 'a' ? 'b' : 'a'
    const changed = visitorWith(base, `${cookie.slice(0, place)}${other}${cookie.slice(place + 1)}`)
    assert.match((await changed.open('/console/clients')).html, 'You were signed out')
  }
})

console_('pages load nothing, run no script, and are kept by nobody', async () => {
  const response = await fetch(`${base}/console`, { headers: { Cookie: operator.cookie() } })
  assert.match(response.headers.get('Content-Security-Policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  assert.is(response.headers.get('X-Frame-Options'), 'DENY')
  assert.is(response.headers.get('Cache-Control'), 'no-store')
  assert.not.match(await response.text(), '<script')
})

console_('a form of another session, of another site or without its value changes nothing', async () => {
  const { client_id } = await registered(service, { client_name: 'Stays as it is' })
  const path = `/console/clients/${client_id}`
  const own = formIn((await operator.open(path)).html)
  const other = formIn(
    (
      await (
        await visit(base, (await operatorToken(service, 'clients:read')).access_token)
      ).open('/console/clients?q=Stays')
    ).html,
  )
  const send = (form: string, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: operator.cookie(), 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ form, action: 'suspend' }),
    })
  for (const answer of [await send(''), await send(other), await send(own, { 'Sec-Fetch-Site': 'cross-site' })]) {
    assert.is(answer.status, 400)
    assert.match(await answer.text(), 'nothing was done')
  }
  assert.is((await management(`/manage/v1/clients/${client_id}`)).body['state'], 'unused')
})

console_('a client is suspended, resumed and deleted, each with its row in the audit log', async () => {
  const { client_id } = await registered(service, { client_name: '<i>Markup</i>' })
  const path = `/console/clients/${client_id}`
  const { html } = await operator.open(path)
  assert.match(html, '&lt;i&gt;Markup&lt;/i&gt;')
  const version = /name="version" value="([^"]+)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
  assert.is((await operator.send(path, { action: 'suspend', version })).location, `${path}?done=suspended`)
  assert.match((await operator.open(`${path}?done=suspended`)).html, 'The client is suspended')
  // What the page before showed is another version.
  const stale = await operator.send(path, { action: 'delete', version })
  assert.is(stale.status, 412)
  assert.match(stale.html, 'Look at what is stored now')
  assert.is((await operator.send(path, { action: 'resume' })).status, 303)
  assert.is((await operator.send(path, { action: 'delete' })).location, '/console/clients?done=removed')
  assert.is((await operator.open(path)).status, 404)
  const { rows } = (await management(`/manage/v1/audit?client_id=${client_id}`)).body as {
    rows: ReadonlyArray<{ entry: { action: string; actor: { kind: string } } }>
  }
  assert.equal(
    rows.map(({ entry }) => [entry.action, entry.actor.kind]),
    ['client_deleted', 'client_resumed', 'client_suspended', 'client_registered'].map((action) => [action, 'master']),
  )
})

console_('credentials are shown on demand, once, and the audit log says so', async () => {
  const { client_id } = await registered(service, { client_name: 'Has a secret' })
  const path = `/console/clients/${client_id}`
  const { client_secret } = (await management(`/manage/v1/clients/${client_id}/secrets`)).body
  assert.not.match((await operator.open(path)).html, String(client_secret))
  assert.match((await operator.send(path, { action: 'secrets' })).html, String(client_secret))
  assert.match((await operator.open(path)).html, 'client credentials read')
})

console_('a client gets a second secret, and its first one is dropped', async () => {
  const { client_id } = await registered(service, { client_name: 'Two secrets' })
  const path = `/console/clients/${client_id}`
  const { client_secret: first } = (await management(`/manage/v1/clients/${client_id}/secrets`)).body
  const added = await operator.send(path, { action: 'add-secret' })
  const second = /<dt>client_secret<\/dt><dd><code>([^<]+)/.exec(added.html)?.[1]
  assert.ok(second !== undefined && second !== first)
  assert.match((await operator.open(path)).html, 'The preceding one')
  assert.is((await operator.send(path, { action: 'add-secret' })).status, 409)
  assert.is((await operator.send(path, { action: 'drop-secret' })).location, `${path}?done=secret_dropped`)
  assert.not.match((await operator.open(path)).html, 'The preceding one')
})

const typed = (fields: Readonly<Record<string, string>>): Record<string, string> => ({
  client_name: 'Typed',
  redirect_uris: 'https://typed.example.com/callback',
  grant_types: 'authorization_code',
  response_types: 'code',
  token_endpoint_auth_method: 'client_secret_basic',
  application_type: 'web',
  ...fields,
})

console_(
  'an application is registered by a form, and every fault stands beside its field with what was typed',
  async () => {
    const path = '/console/register?template=web'
    const wrong = await operator.send(path, typed({ redirect_uris: 'http://typed.example.com/#x', client_uri: 'no' }))
    assert.is(wrong.status, 400)
    assert.match(wrong.html, 'id="e-redirect_uris"')
    assert.match(wrong.html, 'id="e-client_uri"')
    assert.match(wrong.html, 'http://typed.example.com/#x')
    const unknown = await operator.send(path, typed({ client_uri: 'no', other: '{"jwks": 1}' }))
    assert.match(unknown.html, '<a href="#f-client_uri"><code>client_uri</code></a>')
    assert.match(unknown.html, '<a href="#f-other"><code>jwks</code></a>')
    const other = await operator.send(path, typed({ other: '{"jwks": ' }))
    assert.match(other.html, 'id="e-other"')
    const right = await operator.send(path, typed({ other: '{"client_name#de": "Getippt"}' }))
    assert.is(right.status, 200)
    assert.match(right.html, 'client_secret')
    const id = /<dt>client_id<\/dt><dd><code><bdi>([^<]+)/.exec(right.html)?.[1] ?? ''
    const stored = (await management(`/manage/v1/clients/${id}`)).body
    assert.equal([stored['client_name'], stored['client_name#de']], ['Typed', 'Getippt'])
    const entry = service
      .output()
      .stderr.split('\n')
      .find((line) => line.includes(id) && line.includes('"route":"/console/register"'))
    assert.match(entry ?? '', '"asked":"POST /clients"')
  },
)

console_('a client whose client_id is a word of an address has its page as any other', async () => {
  for (const preferred_client_id of ['new', 'register', 'edit']) {
    await registered(service, { client_name: 'Imported', preferred_client_id })
    assert.match((await operator.open(`/console/clients/${preferred_client_id}`)).html, '<h1><bdi>Imported')
  }
})

console_('a form that is too large is not called too old', async () => {
  const { status, html } = await operator.send('/console/policy', { policy: '"'.repeat(30_000) })
  assert.is(status, 400)
  assert.match(html, 'A form has 65536 bytes at most')
  assert.not.match(html, 'too old')
})

console_('whoever ends a session that is gone already still sees the other sessions of that end-user', async () => {
  const { html: search } = await operator.open('/console/sessions?sub=ann%26co')
  assert.match(search, 'This end-user has no session')
  const { status, html } = await operator.send('/console/sessions?sub=ann%26co', { sid: 'gone' })
  assert.is(status, 404)
  assert.match(html, 'name="sub" value="ann&amp;co"')
})

console_('an application in use is registered as it registers itself', async () => {
  const { html } = await operator.open('/console/register')
  const [, address = ''] = /href="([^"]+)">Claude Code</.exec(html) ?? []
  assert.is(address, '/console/register?template=as-claude-code')
  const form = (await operator.open(address)).html
  assert.match(form, 'value="Claude Code (example)"')
  assert.match(form, 'http://localhost:3118/callback')
  assert.match((await operator.open('/console/register?template=as-nobody')).html, 'What is it?')
})

console_('a client without grants keeps its empty list when its form is stored', async () => {
  const { client_id } = await registered(service, { client_name: 'No grants', redirect_uris: [], grant_types: [] })
  const path = `/console/clients/${client_id}/edit`
  const version = /name="version" value="([^"]+)"/.exec((await operator.open(path)).html)?.[1] ?? ''
  const fields = { client_name: 'Still no grants', version: version.replaceAll('&quot;', '"') }
  const edited = await operator.send(path, fields)
  assert.is(
    edited.location,
    `/console/clients/${client_id}?done=saved`,
    /role="alert">[^]*?<\/div>/.exec(edited.html)?.[0],
  )
  const stored = (await management(`/manage/v1/clients/${client_id}`)).body
  assert.equal([stored['client_name'], stored['grant_types']], ['Still no grants', []])
})

console_('the log takes no text of nobody for a client', async () => {
  await visitorWith(base, '').open('/console/clients/a-text-of-nobody')
  const { stderr } = service.output()
  assert.match(stderr, '"route":"/console/clients/:id"')
  assert.not.match(stderr, 'a-text-of-nobody')
})

console_('a change of many is counted, and a number that changed meanwhile is confirmed anew', async () => {
  for (const name of ['Bulky one', 'Bulky two']) await registered(service, { client_name: name })
  const counted = await operator.send('/console/clients', { q: 'bulky', change: 'suspension' })
  assert.match(counted.html, 'name="count" value="2"')
  const logged = '"asked":"POST /manage/v1/clients/suspension"'
  assert.not.match(service.output().stderr, logged, 'to count is no change')
  await registered(service, { client_name: 'Bulky three' })
  const late = await operator.send('/console/clients', { q: 'bulky', change: 'suspension', count: '2' })
  assert.is(late.status, 409)
  assert.match(late.html, 'name="count" value="3"')
  const done = await operator.send('/console/clients', { q: 'bulky', change: 'suspension', count: '3' })
  assert.match(done.html, '3 suspended')
  const refused = await operator.send('/console/clients', { q: 'bulky', change: 'refusal', count: '3', reason: 'No' })
  assert.match(refused.html, '0 refused, 3 stay as they were')
  assert.match(service.output().stderr, logged)
  const { clients } = (await management('/manage/v1/clients?q=bulky&state=suspended')).body
  assert.is((clients as ReadonlyArray<unknown>).length, 3)
})

console_('connections are counted by a search, and revoked when their number is confirmed', async () => {
  const { service: other, store } = await startConsoleOnStore()
  const mail = exampleClient('mail')
  const calendar = exampleClient('calendar')
  for (const client of [mail, calendar]) await done(store.registry.addClient(addition(client)))
  for (const user of ['ann', 'zoe']) await done(giveConsent(store, exampleConsent(mail, user)))
  await done(giveConsent(store, exampleConsent(calendar, 'ann')))
  const visitor = await visit(other.base, other.master)
  const path = '/console/connections'
  assert.not.match((await visitor.open(path)).html, 'Revoke all', 'without a search, there is nothing to count')
  assert.not.match((await visitor.open(`${path}?state=revoked`)).html, 'Revoke all')
  const search = { client_id: mail.client_id, change: 'revocation' }
  assert.match((await visitor.open(`${path}?client_id=${mail.client_id}`)).html, 'Revoke all that this search finds')
  const found = await visitor.open(`${path}?sub=zoe`)
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(found.html) ?? []
  assert.match(found.html, 'action="/console/connections?sub=zoe"')
  assert.is((await visitor.send(`${path}?sub=zoe`, { id })).location, `${path}?sub=zoe&done=disconnected`)
  await done(giveConsent(store, exampleConsent(mail, 'zoe')))
  assert.match((await visitor.send(path, search)).html, 'name="count" value="2"')
  await done(giveConsent(store, exampleConsent(mail, 'max')))
  const late = await visitor.send(path, { ...search, count: '2' })
  assert.is(late.status, 409)
  assert.match(late.html, 'name="count" value="3"')
  assert.match(late.html, 'Their tokens count nowhere any more')
  assert.match((await visitor.send(path, { ...search, count: '3' })).html, '3 revoked')
  assert.match((await visitor.open(`${path}?client_id=${mail.client_id}`)).html, 'There is none on this page')
  assert.match((await visitor.open(path)).html, calendar.client_id)
  const all = await visitor.send(path, { change: 'revocation', count: '1' })
  assert.is(all.status, 400, 'a filter is needed')
  assert.not.match(all.html, 'match', 'nothing was counted')
  const { access_token } = await operatorToken(other, 'connections:read')
  const reader = await visit(other.base, access_token)
  assert.not.match((await reader.open(`${path}?sub=ann`)).html, 'Revoke all')
  assert.is((await reader.send(path, { sub: 'ann', change: 'revocation' })).status, 403)
  await other.stop()
})

console_('tokens are issued by boxes, shown once, and revoked', async () => {
  const body = new URLSearchParams([
    ['action', 'issue'],
    ['value', 'client-reg:grant:code'],
    ['value', 'client-reg:data'],
    ['scopes', 'openid profile'],
    ['days', '1'],
  ])
  const issued = await operator.send('/console/tokens', body)
  assert.match(issued.html, 'client-reg:grant:code client-reg:data client-reg:scope:openid client-reg:scope:profile')
  const token = /<p><code>([^<]+)<\/code>/.exec(issued.html)?.[1] ?? ''
  assert.not.match((await operator.open('/console/tokens')).html, token)
  const nothing = await operator.send('/console/tokens', { action: 'issue', days: '1' })
  assert.is(nothing.status, 400)
  const short = await operator.send('/console/operators', { action: 'issue', value: 'audit', days: '0.5' })
  assert.match(short.html, 'for 12 hours')
  for (const page of ['/console/tokens', '/console/operators']) {
    const noDays = await operator.send(page, { action: 'issue', value: 'audit', scopes: 'openid', days: 'a week' })
    assert.is(noDays.status, 400)
    assert.match(noDays.html, 'value="a week"')
  }
  const id = /name="id" value="([^"]+)"/.exec((await operator.open('/console/tokens')).html)?.[1] ?? ''
  assert.is((await operator.send('/console/tokens', { action: 'revoke', id })).location, '/console/tokens?done=revoked')
})

console_('a list that could not be read is not called empty', async () => {
  assert.match((await operator.open('/console/clients?q=no-such-client')).html, 'No client on this page')
  for (const [path, text] of [
    ['/console/clients?q=ab', 'No client on this page'],
    ['/console/connections?idle_since=soon', 'There is none on this page'],
    ['/console/audit?since=soon', 'There are no such rows'],
    ['/console/refusals?client_id=%20a%20b', 'Nothing like that was refused'],
  ] as const) {
    const shown = await operator.open(path)
    assert.is(shown.status, 400, path)
    assert.not.match(shown.html, text, path)
  }
})

console_('all notifications that were given up are sent again at once', async () => {
  assert.is((await operator.send('/console/deliveries', {})).location, '/console/deliveries?done=retried')
  const one = await operator.send('/console/deliveries', { id: 'no-such-id' })
  assert.is(one.status, 404)
})

console_('a policy is tried on what is stored, and the log is verified', async () => {
  const tried = await operator.send('/console/policy', {
    policy: '{"allowed_token_endpoint_auth_methods": ["private_key_jwt"]}',
  })
  assert.match(tried.html, /[1-9][0-9]* of [1-9][0-9]* clients/)
  const unknown = await operator.send('/console/policy', { policy: '{"no_such_part": 1}' })
  assert.is(unknown.status, 400)
  assert.match(unknown.html, '<code>/no_such_part</code>: is unknown')
  assert.is((await operator.send('/console/policy', { policy: '{' })).status, 400)
  assert.match((await operator.send('/console/audit', {})).html, 'rows are as they were written')
})

console_('keys are rolled over and taken out only after what that does was shown', async () => {
  const before = (await management('/keys')).body['keys'] as ReadonlyArray<{ kid: string }>
  const planned = await operator.send('/console/keys', { action: 'roll-over' })
  assert.match(planned.html, 'After the roll-over')
  assert.equal((await management('/keys')).body['keys'], before)
  const [first] = before
  const kid = first?.kid ?? ''
  assert.match(
    (await operator.send('/console/keys', { action: 'compromise', kid })).html,
    'signed do not verify any more',
  )
  assert.is((await operator.send('/console/keys', { action: 'compromise', kid, confirmed: 'yes' })).status, 303)
  assert.not.ok(((await management('/keys')).body['keys'] as typeof before).some((key) => key.kid === kid))
  assert.match((await operator.open('/console/keys')).html, '<svg class="calendar"')
})

console_('what the service does by itself, and who did what, are told as such', async () => {
  assert.is((await operator.send('/console/keys', { action: 'roll-over', confirmed: 'yes' })).status, 303)
  const { html } = await operator.open('/console')
  assert.match(html, /<li class="news">\d+ keys? changes? within a week/)
  assert.match(html, /<td>the master token .*<\/td>\n<td>the public port /)
})

console_('an announced encryption key is not called published, and taking it out breaks nothing', async () => {
  await operator.send('/console/keys', { action: 'roll-over', confirmed: 'yes' })
  const { html } = await operator.open('/console/keys')
  const [, kid = ''] = /aria-label="What if (\S+) is/.exec(html.slice(html.indexOf('<td>is published<'))) ?? []
  assert.match(html, /encryption<\/span><\/th>\n<td><span class="state published">published</)
  const asked = await operator.send('/console/keys', { action: 'compromise', kid })
  assert.match(asked.html, `${kid} was announced and did nothing yet: nothing breaks.`)
})

console_('a sign-out ends a visit that began with a link, for whoever has copied its cookie as well', async () => {
  const visitor = await visitByLink(base, (await consoleTicket(service, 'audit')).ticket)
  assert.is((await visitor.open('/console/audit')).status, 200)
  assert.is((await visitor.send('/console/sign-out', {})).location, '/console/sign-in')
  assert.match((await visitor.open('/console/audit')).html, 'You were signed out')
  const { access_token } = await operatorToken(service, 'audit', 86_400)
  const other = await visit(base, access_token)
  await other.send('/console/sign-out', {})
  assert.is((await other.open('/console/audit')).status, 200)
  assert.match((await other.open('/console/audit')).html, 'aria-current="page">Audit log')
})

console_('another site signs nobody in, also where the browser names its origin alone', async () => {
  const { access_token: token } = await operatorToken(service, 'audit')
  const signedIn = async (headers: Record<string, string>) => {
    const answer = await fetch(`${base}/console/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ token }),
    })
    return [answer.status, answer.headers.getSetCookie().length]
  }
  for (const Origin of ['http://evil.example', `${base}0`, base.slice(0, -1), 'null', '', 'http://', `${base}/`])
    assert.equal(await signedIn({ Origin }), [401, 0], Origin)
  assert.equal(await signedIn({ Origin: base, 'Sec-Fetch-Site': 'cross-site' }), [401, 0])
  assert.equal(await signedIn({ Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }), [303, 1])
  for (const Origin of [base, base.replace('http:', 'https:')]) assert.equal(await signedIn({ Origin }), [303, 1])
})

console_('below a base path, every link and form of every page leads to the console there', async () => {
  const moved = await startConsole({ CLIENTELE_BASE_URL: 'http://127.0.0.1:1/op' })
  const origin =
    moved
      .output()
      .stdout.match(/http:\/\/127\.0\.0\.1:\d+/g)
      ?.find((each) => !each.endsWith(':1')) ?? ''
  const visitor = await visit(`${origin}/op`, moved.master)
  for (const path of Object.keys(needs)) {
    const { html } = await visitor.open(path)
    const targets = [...html.matchAll(/(?:href|action)="([^"#h][^"]*)"/g)].map(([, target = '']) => target)
    assert.ok(targets.length > 0, path)
    for (const target of targets) assert.match(target, /^\/op\//, `${path}: ${target}`)
  }
  await moved.stop()
})

console_('a visit ends after eight hours', async () => {
  const visitor = await visit(base, master)
  clock.ahead = 8 * 3_600 + 1
  assert.match((await visitor.open('/console/clients')).html, 'You were signed out')
  clock.ahead = 0
})

const needs = {
  '/console': [],
  '/console/clients': ['clients:read'],
  '/console/register': ['clients:write'],
  '/console/approvals': ['clients:read'],
  '/console/refusals': ['clients:read'],
  '/console/removals': ['clients:read'],
  '/console/connections': ['connections:read'],
  '/console/sessions': ['sessions'],
  '/console/deliveries': ['deliveries'],
  '/console/keys': ['keys'],
  '/console/tokens': ['tokens'],
  '/console/operators': ['operators'],
  '/console/policy': ['clients:read'],
  '/console/audit': ['audit'],
} as const

console_('a narrower token sees the pages of its privileges alone, and changes nothing beyond them', async () => {
  const { client_id } = await registered(service, { client_name: 'Untouched' })
  await fc.assert(
    fc.asyncProperty(fc.subarray([...issuableManagementPrivileges], { minLength: 1 }), async (privileges) => {
      const visitor = await visit(base, (await operatorToken(service, privileges.join(' '))).access_token)
      for (const [path, needed] of Object.entries(needs)) {
        const isPermitted = permitsManagement(privileges)(needed)
        const page = await visitor.open(path)
        assert.is(page.status, isPermitted ? 200 : 403, `${path} with ${privileges.join(' ')}`)
        assert.is(
          page.html.includes(`href="${path}"`) || path === '/console/register',
          isPermitted || path === '/console/register',
        )
      }
      const client = `/console/clients/${client_id}`
      if (!privileges.includes('clients:write'))
        for (const action of ['suspend', 'delete', 'renew'])
          assert.is((await visitor.send(client, { action })).status, 403, `${action} with ${privileges.join(' ')}`)
      if (!privileges.includes('clients:secrets'))
        assert.is((await visitor.send(client, { action: 'secrets' })).status, 403)
    }),
    { numRuns: 12 },
  )
  const { status, body } = await management(`/manage/v1/clients/${client_id}`)
  assert.equal([status, body['client_name']], [200, 'Untouched'])
})

console_(
  'the page of a client says what the policy says of it alone, and a tried policy names who exceeds it',
  async () => {
    const file = join(newDataDir(), 'policy.json')
    const entry = { client_id: 'bounded', scope: ['openid'], resources: ['https://orders.example/<b>'] }
    writeFileSync(file, JSON.stringify({ clients: [{ client_id: 'another' }, entry] }))
    const other = await startConsole({ CLIENTELE_REGISTRATION_POLICY: file })
    const visitor = await visit(other.base, other.master)
    const names = ['bounded', 'free']
    for (const preferred_client_id of names)
      await registered(other, { client_name: preferred_client_id, preferred_client_id, scope: 'openid orders' })
    const { html } = await visitor.open('/console/clients/bounded')
    assert.match(html, 'By <code>/clients/1</code> of the policy')
    assert.match(html, '<bdi>it gets no scope values but these: openid</bdi>')
    assert.match(html, '<bdi>it gets tokens for no resources but these: https://orders.example/&lt;b&gt;</bdi>')
    assert.not.match(html, '<code>policy_entry</code>')
    assert.not.match((await visitor.open('/console/clients/free')).html, 'of the policy')
    const tried = await visitor.send('/console/policy', { policy: JSON.stringify({ clients: [entry] }) })
    assert.match(tried.html, '1 of 2 clients')
    assert.match(tried.html, 'Its entry in clients does not give it <bdi>orders</bdi>')
    await other.stop()
  },
)

console_('what waits is approved or refused with a reason', async () => {
  const folder = newDataDir()
  const file = join(folder, 'policy.json')
  writeFileSync(file, JSON.stringify({ approve: ['anonymous'] }))
  const other = await startConsole({
    CLIENTELE_REGISTRATION_POLICY: file,
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_OUTBOUND_FETCHES: 'false',
  })
  const visitor = await visit(other.base, other.master)
  const names = ['Good', 'Bad', 'Told one', 'Told two']
  for (const client_name of names)
    await fetch(`${other.base}/clients`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        client_name,
        redirect_uris: ['https://app.example.com/callback'],
        token_endpoint_auth_method: 'none',
        ...(client_name.startsWith('Told') ? { backchannel_logout_uri: 'https://app.example.com/logout' } : {}),
      }),
    })
  assert.match((await visitor.open('/console')).html, '4 clients wait for your approval')
  const ids = [...(await visitor.open('/console/approvals')).html.matchAll(/name="client_id" value="([^"]+)"/g)].map(
    ([, id = '']) => id,
  )
  const [good = '', bad = '', told = '', toldToo = ''] = ids
  // What of them does not work is told by the answer, whoever approves how many.
  const approved = await visitor.send('/console/approvals', { client_id: told, action: 'approve' })
  assert.is(approved.status, 200)
  assert.match(approved.html, new RegExp(`What does not work[^]*${told}[^]*backchannel_logout_uri`))
  const bulk = { q: 'told two', change: 'approval', count: '1' }
  const many = await visitor.send('/console/clients', bulk)
  assert.match(many.html, new RegExp(`1 approved[^]*What does not work[^]*${toldToo}[^]*backchannel_logout_uri`))
  for (const action of ['add-secret', 'renew', 'suspend', 'delete'])
    assert.is((await visitor.send('/console/approvals', { client_id: good, action })).status, 200, action)
  assert.is((await visitor.send('/console/approvals', { client_id: good, action: 'approve' })).status, 303)
  assert.is((await visitor.send('/console/approvals', { client_id: bad, action: 'refuse', reason: '' })).status, 400)
  assert.is((await visitor.send('/console/approvals', { client_id: bad, action: 'refuse', reason: 'No' })).status, 303)
  assert.match((await visitor.open('/console/approvals')).html, 'No client waits')
  assert.match((await visitor.open(`/console/clients/${bad}`)).html, 'Refused: <bdi>No</bdi>')
  await other.stop()
})

console_('what was refused lately is there, with the page of its rule', async () => {
  const body = JSON.stringify({ redirect_uris: ['https://app.example.com/#fragment'], software_id: 'odd-software' })
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${master}` }
  await fetch(`${base}/clients`, { method: 'POST', headers, body })
  assert.is((await operator.open('/console/refusals?after=x')).status, 200)
  const shown = async (): Promise<string> => (await operator.open('/console/refusals')).html
  // Instances write what they observed after some seconds.
  for (let tries = 0; tries < 100 && !(await shown()).includes('odd-software'); tries += 1) await setTimeout(200)
  const html = await shown()
  assert.match(html, 'odd-software')
  const [, address = ''] = /href="(\/rules\/[^"]+)"/.exec(html) ?? []
  assert.is((await fetch(`${base}${address}`, { headers: { Accept: 'text/html' } })).status, 200)
})

console_('the page at the base URL leads to it', async () => {
  const home = await fetch(`${base}/`, { headers: { Accept: 'text/html' } })
  assert.match(await home.text(), 'href="/console"')
})

console_('it is off where the setting says so', async () => {
  const off = await startConsole({ CLIENTELE_CONSOLE: 'false' })
  assert.is((await fetch(`${off.base}/console`)).status, 404)
  await off.stop()
})

console_.after(async () => void (await service.stop()))

console_.run()
