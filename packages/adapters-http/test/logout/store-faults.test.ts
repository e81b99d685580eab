// The store cannot answer: a page says so, and nothing has happened.
import { unavailable } from '@clientele/domain/kernel'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpPorts } from '../../src/ports.js'
import { postConfirm, getOrPostLogout, postSessions } from '../support/handlers.js'
import { asking, membersOf } from '../support/http-request.js'
import { createWorld, httpSettings, master, replacing } from '../support/in-memory-ports.js'
import type { HttpResponse } from '../../src/http/response.js'

const faults = suite('logout without a store')

const down = TE.left(unavailable('disk full at /secret'))

const htmlOf = ({ body }: HttpResponse): string => (body.kind === 'text' ? body.text : '')

const isUnavailablePage = (response: HttpResponse): void => {
  assert.is(response.status, 503)
  assert.is(response.headers['Retry-After'], '1')
  assert.is(response.headers['Content-Type'], 'text/html; charset=utf-8')
  assert.match(htmlOf(response), /<h1/)
  assert.not.match(htmlOf(response), /secret/)
  assert.ok(response.detail)
}

const signedIn = async (world: HttpPorts) => {
  const answer = await asking(postSessions, world)({ method: 'POST', token: master, json: { sub: 'alice' } })
  const { set_cookie } = membersOf(answer)
  return { headers: { cookie: String(set_cookie).split(';')[0] } }
}

const valueOf = (response: HttpResponse): string => /name="value" value="([^"]*)"/.exec(htmlOf(response))?.[1] ?? ''

faults('the session cannot be read', async () => {
  const world = createWorld()
  const browser = await signedIn(world)
  isUnavailablePage(await asking(getOrPostLogout, replacing(world, { findSession: () => down }))(browser))
})

faults('the answer cannot be kept: the cookie stays, and the same answer is taken later', async () => {
  const world = createWorld()
  const browser = await signedIn(world)
  const confirmation = await asking(getOrPostLogout, world)(browser)
  const cookie = [browser.headers.cookie, confirmation.setCookies?.[0]?.split(';')[0]].join('; ')
  const answer = { headers: { cookie }, method: 'POST', json: { value: [valueOf(confirmation)], answer: ['logout'] } }
  const failed = await asking(postConfirm, replacing(world, { endSession: () => down }))(answer)
  isUnavailablePage(failed)
  assert.is(failed.setCookies, undefined)
  const then = await asking(postConfirm, world)(answer)
  assert.equal([then.status, /Max-Age=0/.test(then.setCookies?.[0] ?? '')], [200, true])
})

faults('every page forbids scripts, frames around it, hold of its window, telling its address', async () => {
  const world = createWorld()
  const pages = [
    await asking(getOrPostLogout, world)(await signedIn(world)),
    await asking(getOrPostLogout, world)(),
    await asking(postConfirm, world)({ method: 'POST', json: {} }),
    await asking(getOrPostLogout, replacing(world, { findSession: () => down }))(await signedIn(world)),
  ]
  for (const { headers } of pages) {
    assert.match(
      headers['Content-Security-Policy'] ?? '',
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    const named = ['X-Frame-Options', 'Cross-Origin-Opener-Policy', 'Referrer-Policy']
    assert.equal(
      named.map((name) => headers[name]),
      ['DENY', 'same-origin', 'no-referrer'],
    )
  }
})

faults('without a path there is no endpoint, and the metadata does not tell of one', async () => {
  const { publicRoutes } = await import('../../src/routes.js')
  const settings = httpSettings()
  const off = { ...settings, logout: { ...settings.logout, path: undefined } }
  const paths = (given: typeof settings) =>
    publicRoutes(given, createWorld(), { withOperators: false }).map(({ path }) => path)
  assert.ok(paths(settings).includes('/logout/confirm'))
  assert.equal(
    paths(off).filter((path) => path.includes('logout')),
    [],
  )
})

faults.run()
