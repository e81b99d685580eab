// Answers that must not end a session: forged, moved, used and expired ones, and forms of other sites.
import Database from 'better-sqlite3'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openBrowser, type Page } from './support/browser.js'
import { backUri } from './support/logout-service.js'
import {
  type LogoutWorld,
  requested,
  isConfirmation,
  isSignedIn,
  isSignedOut,
  logoutSuite,
} from './support/logout-world.js'

const { test, it } = logoutSuite('attacks on the dialog')

const confirmationOf = async ({ service, client, browser }: LogoutWorld): Promise<Page> => {
  const id_token_hint = await service.idToken(client)
  return isConfirmation(await browser.get(requested({ id_token_hint, post_logout_redirect_uri: backUri, state: 's' })))
}

const isGone = (page: Page): void => {
  assert.is(page.status, 400)
  assert.is(page.headers.get('location'), null)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
}

it('no value, a wrong one, half of one, one of another text', async (world) => {
  const confirmation = await confirmationOf(world)
  for (const value of [
    '',
    'x',
    confirmation.value.slice(0, -4),
    `${confirmation.value}A`,
    confirmation.value.toUpperCase(),
    'v1.a.b',
    '\u0000',
  ])
    isGone(await world.browser.answer({ ...confirmation, value }, 'logout'))
  isGone(await world.browser.post('/logout/confirm', { answer: 'logout' }))
  await isSignedIn(world)
})

it('a value that is given twice, or an answer that is none', async (world) => {
  const { value } = await confirmationOf(world)
  isGone(await world.browser.post('/logout/confirm', `value=${value}&value=${value}&answer=logout`))
  isGone(await world.browser.post('/logout/confirm', `value=${value}&answer=logout&answer=stay`))
  for (const answer of ['', 'yes', 'LOGOUT', 'logout ', '__proto__'])
    isGone(await world.browser.post('/logout/confirm', { value, answer }))
  await isSignedIn(world)
})

it('the value in another browser: signed in as somebody else, as the same, or as nobody', async (world) => {
  const confirmation = await confirmationOf(world)
  const other = await world.service.startSession('mallory')
  const again = await world.service.startSession('alice')
  for (const cookies of [[other.cookie], [again.cookie], []])
    isGone(await openBrowser(world.service.base, cookies).answer(confirmation, 'logout'))
  await isSignedIn(world)
  assert.equal(await world.service.sessionsOf('mallory'), [other.sid])
  await world.service.ask('DELETE', `/sessions/${other.sid}`)
})

it('a form of another site, and a script of another origin', async (world) => {
  const { value } = await confirmationOf(world)
  const form = { value, answer: 'logout' }
  const cookie = { Cookie: [...world.browser.cookies].map((pair) => pair.join('=')).join('; ') }
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: `${world.service.base}.evil.example` },
    { Origin: world.service.base, 'Sec-Fetch-Site': 'cross-site' },
  ])
    isGone(await world.browser.post('/logout/confirm', form, { ...headers, ...cookie }))
  await isSignedIn(world)
  assert.is((await world.browser.post('/logout/confirm', form, { Origin: world.service.base })).status, 303)
  await isSignedOut(world)
})

it('GET does not answer, whatever it carries', async (world) => {
  const { value } = await confirmationOf(world)
  const page = await world.browser.get(`/logout/confirm?value=${value}&answer=logout`)
  assert.equal([page.status, page.headers.get('allow')], [405, 'POST'])
  assert.match(page.html, /<h1/)
  isConfirmation(await world.browser.get(`/logout?value=${value}&answer=logout&confirmed=true`))
  await isSignedIn(world)
})

it('many clicks on the button show the same end, one after the other as well, and nothing more happens', async (world) => {
  const { browser } = world
  const confirmation = await confirmationOf(world)
  const cookie = { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
  const form = { value: confirmation.value, answer: 'logout' }
  const pages = await Promise.all(Array.from({ length: 12 }).map(() => browser.post('/logout/confirm', form, cookie)))
  const later = await browser.answer(confirmation, 'logout')
  assert.equal(
    [...pages, later].map(({ status, headers }) => [status, headers.get('location')]),
    [...pages, later].map(() => [303, `${backUri}?state=s`]),
  )
  await isSignedOut(world)
})

it('two tabs: after the answer in one, the other leads back as it said', async (world) => {
  const one = await confirmationOf(world)
  const other = await confirmationOf(world)
  for (const confirmation of [one, other]) {
    const page = await world.browser.answer(confirmation, 'logout')
    assert.equal([page.status, page.headers.get('location')], [303, `${backUri}?state=s`])
  }
  await isSignedOut(world)
})

it('the first answer holds, and the other one does nothing', async (world) => {
  const confirmation = isConfirmation(await world.browser.get('/logout'))
  const stayed = await world.browser.answer(confirmation, 'stay')
  isGone(await world.browser.answer(confirmation, 'logout'))
  const again = await world.browser.answer(confirmation, 'stay')
  assert.equal([stayed.status, again.status, again.html], [200, 200, stayed.html])
  await isSignedIn(world)
})

it('an answered dialog of nobody in particular does not touch whoever signs in after it', async (world) => {
  const { service, client, browser } = world
  const form = { id_token_hint: await service.idToken(client), post_logout_redirect_uri: backUri }
  const confirmation = isConfirmation(await browser.post('/logout', form, { 'Sec-Fetch-Site': 'cross-site' }))
  assert.is((await browser.answer(confirmation, 'logout')).status, 303)
  const bob = await service.startSession('bob')
  const [name = '', value = ''] = bob.cookie.split('=')
  browser.cookies.set(name, value)
  for (const answer of ['logout', 'stay']) isGone(await browser.answer(confirmation, answer))
  assert.equal([await service.sessionsOf('bob'), browser.cookies.get(name)], [[bob.sid], value])
  await service.ask('DELETE', `/sessions/${bob.sid}`)
})

it('a request of another site leaves the dialogs of other tabs as they are', async (world) => {
  const confirmation = await confirmationOf(world)
  isConfirmation(await world.browser.post('/logout', {}, { 'Sec-Fetch-Site': 'cross-site' }))
  assert.is((await world.browser.answer(confirmation, 'stay')).status, 303)
  await isSignedIn(world)
})

it('a cookie whose name begins with a sign that looks like a blank is not ours', async (world) => {
  for (const sign of ['\u00a0', '\u00ff']) {
    const page = await world.browser.get('/logout', { Cookie: `${sign}${world.session.cookie}` })
    assert.equal([page.status, page.value], [200, ''])
    isConfirmation(
      await world.browser.get('/logout', { Cookie: `${world.session.cookie}; ${sign}${world.session.cookie}` }),
    )
  }
})

it('somebody else has signed in since the dialog was shown', async (world) => {
  const confirmation = await confirmationOf(world)
  const bob = await world.service.startSession('bob')
  const shared = openBrowser(world.service.base, [bob.cookie])
  isGone(await shared.answer(confirmation, 'logout'))
  assert.equal(await world.service.sessionsOf('bob'), [bob.sid])
  await world.service.ask('DELETE', `/sessions/${bob.sid}`)
})

it('a session cookie that stands twice is nobody', async (world) => {
  const page = await world.browser.get('/logout', { Cookie: `${world.session.cookie}; ${world.session.cookie}` })
  assert.is(page.status, 200)
  assert.is(page.value, '')
  await isSignedIn(world)
})

// Clients without a session could fill the disk if their answers added rows.
it('a dialog that is answered without a session leaves no row', async ({ service }) => {
  const db = new Database(join(service.dataDir, 'clientele.db'), { readonly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  const rows = (): ReadonlyArray<unknown> =>
    tables.map((table) => [
      table,
      db
        .prepare(`SELECT count(*) FROM "${String(table)}"`)
        .pluck()
        .get(),
    ])
  const before = rows()
  for (const [answer, status] of [
    ['stay', 400],
    ['logout', 200],
  ] as const) {
    const anonymous = openBrowser(service.base, [])
    const confirmation = isConfirmation(await anonymous.post('/logout', {}, { 'Sec-Fetch-Site': 'cross-site' }))
    assert.is((await anonymous.answer(confirmation, answer)).status, status)
  }
  assert.equal(rows(), before)
  db.close()
})

it('staying leads back as well, and ends nothing', async (world) => {
  const page = await world.browser.answer(await confirmationOf(world), 'stay')
  assert.equal([page.status, page.headers.get('location')], [303, `${backUri}?state=s`])
  await isSignedIn(world)
})

it('a URI that was removed since, or a client that was deleted: no way back, and signed out all the same', async (world) => {
  const { service, client, browser } = world
  const confirmation = await confirmationOf(world)
  const removed = await service.ask('PUT', `/clients/${client.client_id}`, {
    redirect_uris: ['https://rp.example/callback'],
  })
  assert.is(removed.status, 200)
  const page = await browser.answer(confirmation, 'logout')
  assert.equal([page.status, page.headers.get('location')], [200, null])
  await isSignedOut(world)
})

it('a client that was deleted since', async (world) => {
  const { service, client, browser } = world
  const confirmation = await confirmationOf(world)
  await service.ask('DELETE', `/clients/${client.client_id}`)
  const page = await browser.answer(confirmation, 'logout')
  assert.equal([page.status, page.headers.get('location')], [200, null])
  await isSignedOut(world)
})

test.run()
