// A form whose session has ended: what was typed is not lost, and nothing is done without its operator.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formIn, operatorToken, registered, startConsole, visit, visitorWith } from './support/visitor.js'

const again = suite('the console after its session ended')

const service = await startConsole()
const { base, master } = service

const management = (path: string, method = 'GET'): Promise<Response> =>
  fetch(`${base}${path}`, { method, headers: { Authorization: `Bearer ${master}` } })

const nameOf = async (client_id: string): Promise<unknown> =>
  ((await (await management(`/manage/v1/clients/${client_id}`)).json()) as Record<string, unknown>)['client_name']

const keptFields = (html: string): URLSearchParams =>
  new URLSearchParams(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')],
    ),
  )

again('a form that is sent after the session ended is sent again after the sign-in, and never by itself', async () => {
  const { client_id } = await registered(service, { client_name: 'Edited slowly' })
  const path = `/console/clients/${client_id}/edit`
  const { access_token, id } = await operatorToken(service, 'clients:read clients:write')
  const slow = await visit(base, access_token)
  const version = /name="version" value="([^"]+)"/.exec((await slow.open(path)).html)?.[1]?.replaceAll('&quot;', '"')
  const form = formIn((await slow.open(path)).html)
  const fields = {
    client_name: 'Edited & "slowly"',
    redirect_uris: 'https://app.example.com/callback',
    grant_types: 'authorization_code',
    response_types: 'code',
    version: version ?? '',
    form,
  }
  await management(`/operator-tokens/${id}`, 'DELETE')
  const post = (to: string, body: URLSearchParams, headers: Record<string, string>): Promise<Response> =>
    fetch(`${base}${to}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  const own = { Cookie: slow.cookie(), 'Sec-Fetch-Site': 'same-origin' }
  const ended = await post(path, new URLSearchParams(fields), own)
  assert.equal([ended.status, ended.headers.get('WWW-Authenticate')], [401, 'Form'])
  const lost = await ended.text()
  assert.match(lost, 'Nothing was done')
  assert.match(lost, 'Sign in in another tab')
  assert.match(lost, `<code><bdi>${path}</bdi></code>`)
  for (const site of ['cross-site', 'same-site', '']) {
    const foreign = await post(path, new URLSearchParams(fields), { ...own, 'Sec-Fetch-Site': site })
    assert.not.match(await foreign.text(), 'Send it again', 'another site prepares nothing')
  }
  const many = new URLSearchParams(Array.from({ length: 201 }, (_, nth): [string, string] => [`field-${nth}`, '']))
  assert.not.match(await (await post(path, many, own)).text(), 'Send it again')
  const kept = keptFields(lost)
  assert.not.ok(kept.has('form'))
  assert.match(await (await post(path, kept, own)).text(), 'Sign in in another tab')
  const reader = await visit(base, (await operatorToken(service, 'clients:read')).access_token)
  const refused = await post(path, kept, { ...own, Cookie: reader.cookie() })
  assert.is(refused.status, 403)
  assert.match(await refused.text(), /needs clients:write[\s\S]*Sign in in another tab[\s\S]*Send it again/)
  const signedIn = await post('/console/sign-in', new URLSearchParams({ token: master }), {})
  assert.is(signedIn.status, 303)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const shown = await (await post(path, kept, { ...own, Cookie: cookie })).text()
  assert.match(shown, 'Send it again')
  assert.not.match(shown, 'Sign in in another tab')
  assert.is(await nameOf(client_id), 'Edited slowly')
  const sent = await post(path, keptFields(shown), { ...own, Cookie: cookie })
  assert.is(sent.headers.get('Location'), `/console/clients/${client_id}?done=saved`)
  assert.is(await nameOf(client_id), 'Edited & "slowly"')
  // In the session of another sign-in, the page of the first one is stale.
  const stale = await post(path, new URLSearchParams(fields), { ...own, Cookie: cookie })
  assert.is(stale.status, 400)
  assert.match(await stale.text(), 'Send it again')
})

again('after a sign-in that was needed, the filters of a search are still there', async () => {
  const { html } = await visitorWith(base, '').open('/console/clients?q=it%27s&done=saved')
  assert.match(html, 'name="next" value="/console/clients?q=it&#39;s"')
})

again.after(async () => void (await service.stop()))

again.run()
