import { epochSeconds } from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { consoleTicket, operatorToken, signIn, startConsole, visit, visitByLink } from './support/visitor.js'

const links = suite('links to the console')

const clock = { ahead: 0 }
const service = await startConsole({}, { now: () => epochSeconds(Date.now() + clock.ahead * 1_000) })
const { base, master } = service

links.after(async () => void (await service.stop()))

const management = async (path: string, method = 'GET'): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${base}${path}`, { method, headers: { Authorization: `Bearer ${master}` } })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

links('a link signs in once, and the session ends when its token is revoked', async () => {
  const { ticket, id, console } = await consoleTicket(service, 'clients:read')
  assert.is(console, `${base}/console`)
  const shown = await fetch(`${console}/sign-in?link=${ticket}`)
  assert.match(await shown.text(), ticket)
  const visitor = await visitByLink(base, ticket)
  assert.is((await visitor.open('/console/clients')).status, 200)
  assert.match((await visitor.open('/console/clients')).html, 'aria-current="page">Clients')
  assert.is((await signIn(base, { link: ticket })).status, 401)
  const tokens = (await management('/operator-tokens')).body['tokens'] as ReadonlyArray<{ id: string; name?: string }>
  assert.not.ok(tokens.some((token) => token.id === id))
  for (const token of tokens) await management(`/operator-tokens/${token.id}`, 'DELETE')
  assert.match((await visitor.open('/console/clients')).html, 'You were signed out')
})

links('the ticket of a link is no token, neither before the sign-in nor after it', async () => {
  const { ticket, id } = await consoleTicket(service, 'clients:read clients:write')
  const asks = async (token: string) => [
    (await fetch(`${base}/manage/v1/clients`, { headers: { Authorization: `Bearer ${token}` } })).status,
    (await signIn(base, { token })).status,
    (await signIn(base, { token: `console link ${token}` })).status,
    (await (await visit(base, token)).open('/console/clients')).html.includes('name="token"'),
  ]
  assert.equal(await asks(ticket), [401, 401, 401, true])
  assert.is((await signIn(base, { link: id })).status, 401)
  assert.is((await signIn(base, { link: ticket })).status, 303)
  assert.equal(await asks(ticket), [401, 401, 401, true])
})

links('of two sign-ins by one link at the same time, one succeeds, with one row in the audit log', async () => {
  const { ticket: link, id } = await consoleTicket(service, 'audit')
  const answers = await Promise.all([1, 2, 3].map(() => signIn(base, { link })))
  assert.equal(answers.map(({ status }) => status).sort(), [303, 401, 401])
  const { rows } = (await management(`/manage/v1/audit?actor=${id}`)).body as {
    rows: ReadonlyArray<{ entry: { action: string } }>
  }
  assert.equal(
    rows.map(({ entry }) => entry.action),
    ['operator_token_issued'],
  )
})

links('a link that is older than ten minutes counts no more', async () => {
  const { ticket: link } = await consoleTicket(service, 'audit')
  clock.ahead = 601
  assert.is((await signIn(base, { link })).status, 401)
  clock.ahead = 0
  assert.is((await signIn(base, { link })).status, 303)
})

links('an operator token is no link, by any name: nobody makes it last longer by it', async () => {
  const { access_token } = await operatorToken(service, 'audit')
  assert.is((await signIn(base, { link: access_token })).status, 401)
  assert.is((await signIn(base, { token: access_token })).status, 303)
})

links.run()
