import { maxLoginAttempts } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SignInPorts } from '../../src/ports.js'
import { getInteraction, postLogin } from '../support/handlers.js'
import { hiddenFields, html, open, submit } from '../support/browser-request.js'
import { httpSettings } from '../support/in-memory-ports.js'
import { alice, createSignIn, developmentLogin, onward } from '../support/sign-in.js'

const login = suite('login for development')

const served = async (given: Partial<SignInPorts> = {}) => {
  const world = await createSignIn(given)
  const show = getInteraction(httpSettings(), world.httpPorts)
  const post = postLogin(httpSettings(), world.httpPorts)
  const fields = hiddenFields(await open(show))
  const attempt = (password: string, more: Readonly<Record<string, string>> = {}) =>
    submit(post, { ...fields, username: 'alice', password, answer: 'sign-in', ...more })
  return { ...world, show, post, fields, attempt }
}

login('the page says that it is for development only, and names the application with its host', async () => {
  const { show } = await served()
  const page = await open(show)
  assert.is(page.status, 200)
  for (const text of ['for development only', 'Nordlicht Shop', 'rp.example', 'name="password"'])
    assert.match(html(page), text)
  assert.match(page.headers['Content-Security-Policy'] ?? '', "frame-ancestors 'none'")
  assert.not.match(page.headers['Content-Security-Policy'] ?? '', 'form-action')
  assert.is(page.headers['Referrer-Policy'], 'no-referrer')
})

login('the right password signs in, once, with the cookies of the authorization server', async () => {
  const { attempt, answers } = await served()
  const answer = await attempt('right')
  assert.equal([answer.status, answer.headers['Location']], [303, onward])
  assert.equal(answer.setCookies, ['engine=next; Path=/', 'clientele-session=s; Path=/'])
  assert.is((await attempt('right', { attempt: '2' })).status, 400)
  assert.equal(
    answers.map((each) => (each.answer === 'signed_in' ? each.endUser.sub : each.answer)),
    [alice],
  )
})

login('a wrong password and an unknown name are refused with one text, and the form again', async () => {
  const one = await served()
  const other = await served()
  const wrong = await one.attempt('wrong')
  const unknown = await other.attempt('right', { username: 'nobody' })
  assert.equal([wrong.status, unknown.status], [401, 401])
  assert.is(html(wrong).replace('value="alice"', ''), html(unknown).replace('value="nobody"', ''))
  assert.match(html(wrong), 'do not match')
  assert.not.match(html(wrong), 'wrong"')
  assert.is(hiddenFields(wrong)['attempt'], '2')
  assert.ok(wrong.headers['WWW-Authenticate'])
})

login('there are a few attempts for one interaction, whatever the browser sends', async () => {
  const requested: Array<string> = []
  const { attempt } = await served({ login: developmentLogin(requested) })
  const numbers = ['1', '1', '2', '3', '4', '5', '5', '6', '1', '0', '-1', 'x', '', '99', '1e0']
  const answers = await Promise.all([...numbers, ...numbers].map((number) => attempt('wrong', { attempt: number })))
  assert.is(requested.length, maxLoginAttempts)
  for (const { status } of answers) assert.ok([401, 429].includes(status), String(status))
  for (const number of numbers) assert.not.equal((await attempt('right', { attempt: number })).status, 303)
  assert.is(requested.length, maxLoginAttempts)
})

login('after the last attempt the end-user can return to the application', async () => {
  const { attempt, post, answers } = await served()
  const last = await attempt('wrong', { attempt: String(maxLoginAttempts) })
  assert.is(last.status, 429)
  const back = await submit(post, { ...hiddenFields(last), answer: 'cancel' })
  assert.equal([back.status, back.headers['Location'], answers], [303, onward, [{ answer: 'denied' }]])
})

login('a form of another site, or without the value of the page, is not an attempt', async () => {
  const requested: Array<string> = []
  const { post, fields, answers } = await served({ login: developmentLogin(requested) })
  const filled = { ...fields, username: 'alice', password: 'right', answer: 'sign-in' }
  for (const site of ['cross-site', 'same-site']) assert.is((await submit(post, filled, { site })).status, 400)
  const stale = await submit(post, { ...filled, value: 'of-another-page' })
  assert.equal([stale.status, stale.reason, hiddenFields(stale)['value']], [200, 'stale_page', fields['value']])
  assert.equal([requested, answers], [[], []])
})

login('an interaction of another browser, or none, is a page that says so', async () => {
  const { show, attempt, post } = await served()
  for (const answer of [
    await open(show, { cookie: 'engine=browser-2' }),
    await open(show, { id: 'other' }),
    await submit(post, {}, { cookie: '' }),
  ]) {
    assert.equal([answer.status, answer.reason], [400, 'interaction_gone'])
    assert.match(html(answer), 'no longer valid')
  }
  assert.is((await attempt('right')).status, 303)
})

login('what the application suggests is filled in, escaped, in the language that it asked for', async () => {
  const { show, waitFor } = await served()
  waitFor({ loginHint: '"><script>', uiLocales: 'de' })
  const page = await open(show)
  assert.match(html(page), 'value="&quot;&gt;&lt;script&gt;"')
  assert.match(html(page), '<html lang="de"')
})

login('a store that cannot answer is a page that can be tried again', async () => {
  const down = TE.left({ error: 'unavailable' as const, detail: 'down' })
  const all: ReadonlyArray<Partial<SignInPorts>> = [
    { findInteraction: () => down },
    { answerInteraction: () => down },
    { storeArtefact: () => down },
    { login: { kind: 'development', listAccounts: down, check: () => down } },
  ]
  const { fields } = await served()
  for (const given of all) {
    const { post } = await served(given)
    const answer = await submit(post, { ...fields, username: 'alice', password: 'right', answer: 'sign-in' })
    assert.equal([answer.status, answer.headers['Retry-After'], answer.detail], [503, '1', 'down'])
    assert.match(html(answer), 'href="/interaction/interaction-1"')
  }
})

login('the pages of another interaction step lead to what is asked now', async () => {
  const { attempt, waitFor } = await served()
  waitFor({ prompt: 'consent', sub: alice })
  const answer = await attempt('right')
  assert.equal([answer.status, answer.headers['Location']], [303, '/interaction/interaction-1'])
})

login.run()
