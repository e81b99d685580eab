// Methods, header fields and connections at the routes of the authorization server: RFC 9110, OpenID Core §3.1.2.1.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, goThrough } from './support/browser.js'
import { confidential, configured, signIn } from './support/relying-party.js'
import { type World, startTwo, stopTwo } from '../support/two-services.js'

const http = suite<{ world: World }>('HTTP at the authorization server')

http.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201' })
})
http.after(({ world }) => stopTwo(world))

http('a method that a route does not have is refused with those that it has', async ({ world: { one } }) => {
  const allowed = {
    authorize: 'GET, HEAD, POST',
    userinfo: 'GET, HEAD, POST',
    token: 'POST',
    'authorize/x': 'GET, HEAD',
  }
  for (const [path, allow] of Object.entries(allowed)) {
    const answer = await fetch(`${one.url}/${path}`, { method: 'PUT' })
    assert.equal([answer.status, answer.headers.get('allow')], [405, allow])
  }
  const headers = { Origin: 'https://rp.example', 'Access-Control-Request-Method': 'POST' }
  const preflight = await fetch(`${one.url}/authorize`, { method: 'OPTIONS', headers })
  assert.equal([preflight.status, preflight.headers.get('allow')], [405, 'GET, HEAD, POST'])
})

http('an authorization request by POST goes on by GET, with the session of the browser', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const browser = new Browser()
  await signIn(one, application, browser)
  const { url } = await application.request({ prompt: 'none' })
  const [endpoint = '', query = ''] = url.split('?')
  const large = await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ state: 's'.repeat(9_000) }) })
  assert.is(large.status, 413)
  const redirected = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(query), redirect: 'manual' })
  assert.is(redirected.status, 303)
  const location = String(redirected.headers.get('location'))
  assert.equal([...new URL(location).searchParams], [...new URLSearchParams(query)])
  assert.ok((await goThrough(browser, one, location)).end?.searchParams.has('code'))
  const text = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: query }
  assert.is((await fetch(endpoint, text)).status, 400)
})

http(
  'a browser that goes away in the middle of its request leaves the service as it was',
  async ({ world: { one } }) => {
    const { hostname, port } = new URL(one.url)
    const head =
      'POST /authorize HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\na='
    const socket = connect(Number(port), hostname, () =>
      socket.write(head, () => setTimeout(() => socket.destroy(), 50)),
    )
    await once(socket, 'close')
    assert.is((await fetch(`${one.url}/userinfo`)).status, 401)
  },
)

// RFC 9112 §3.2.2
http('an absolute request target reaches the engine, with the id of its request', async ({ world: { one } }) => {
  const { hostname, port } = new URL(one.url)
  const target = 'http://elsewhere.example/userinfo?x=1'
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${target} HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`),
  )
  let answer = ''
  for await (const part of socket) answer += String(part)
  assert.match(answer, /^HTTP\/1\.1 401 /)
  assert.match(answer, /\r\nX-Request-Id: [\w-]+\r\n/)
})

http('the page that posts a response runs its one script, and loads nothing', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { url } = await application.request({ prompt: 'none', response_mode: 'form_post' })
  const answer = await fetch(url)
  const [, script] = /<script>([^]*?)<\/script>/.exec(await answer.text()) ?? []
  const hash = createHash('sha256').update(String(script)).digest('base64')
  const policy = String(answer.headers.get('content-security-policy'))
  assert.is(policy, `default-src 'none';base-uri 'none';frame-ancestors 'none';script-src 'sha256-${hash}'`)
})

http('a body that is too long is refused with 413, with a length or without one', async ({ world: { one } }) => {
  const exact = `token=${'a'.repeat(57_338)}`
  const long = `token=${'a'.repeat(200_000)}`
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const pieces = (text: string): Readable => Readable.from(text.match(/[^]{1,10000}/g) ?? [])
  for (const path of ['token', 'introspect', 'revoke', 'par', 'userinfo']) {
    const url = `${one.url}/${path}`
    const sent = await fetch(url, { method: 'POST', headers, body: exact })
    assert.ok([400, 401].includes(sent.status), `${path} ${sent.status}`)
    for (const body of [long, pieces(long)]) {
      const refused = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
      assert.is(refused.status, 413, path)
      assert.is(((await refused.json()) as { readonly error: string }).error, 'invalid_request')
    }
  }
  const posted = await fetch(`${one.url}/authorize`, { method: 'POST', headers, body: long })
  assert.is(posted.status, 413)
})

http('no cache stores tokens', async ({ world: { one } }) => {
  const { headers } = await fetch(`${one.url}/token`, { method: 'POST', body: new URLSearchParams() })
  assert.equal([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache'])
})

http.run()
