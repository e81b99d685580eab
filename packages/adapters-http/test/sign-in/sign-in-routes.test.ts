import * as fc from 'fast-check'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { EndUserLogin } from '@clientele/domain/ports'
import { runParameters } from '@clientele/testing'
import { createWorld, httpSettings } from '../support/in-memory-ports.js'
import { suiteOnShells } from '../support/shells.js'
import { browser, createSignIn } from '../support/sign-in.js'
import { send, withServer } from '../support/wire.js'

const routes = suiteOnShells('the routes of login and consent')

const served = { withOperators: false }
const paths = [
  '/interaction/interaction-1',
  '/interaction/interaction-1/callback',
  '/login/callback',
  '/login/callback/two',
  '/consents',
]

const party = {
  begin: () => TE.right({ location: 'https://login.example/', handle: 'x', state: 'x' }),
  complete: () => TE.left({ error: 'login_refused' as const, reason: 'test' }),
}
const one: EndUserLogin = { kind: 'elsewhere', parties: [{ id: undefined, name: 'One', ...party }] }
const two: EndUserLogin = {
  kind: 'elsewhere',
  parties: [
    { id: 'one', name: 'One', ...party },
    { id: 'two', name: 'Two', ...party },
  ],
}

routes('they are there only with an authorization server', async (shell) => {
  const listener = shell.createPublicListener(httpSettings(), createWorld(), served)
  await withServer(listener, async (wire) => {
    for (const path of paths) assert.is((await send(wire, 'GET', path)).status, 404)
  })
})

routes('every cookie of an answer arrives as a field of its own', async (shell) => {
  const { world, httpPorts } = await createSignIn()
  const listener = shell.createPublicListener(httpSettings(), { ...world, ...httpPorts }, served)
  await withServer(listener, async (wire) => {
    const page = await send(wire, 'GET', '/interaction/interaction-1', { headers: { cookie: browser } })
    assert.is(page.headers['cache-control'], 'no-store')
    const [, value = ''] = /name="value" value="([^"]+)"/.exec(page.body.toString()) ?? []
    const answer = await send(wire, 'POST', '/interaction/interaction-1/login', {
      headers: { cookie: browser, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ value, attempt: '1', username: 'alice', password: 'right', answer: 'x' }).toString(),
    })
    assert.equal(answer.headers['set-cookie'], ['engine=next; Path=/', 'clientele-session=s; Path=/'])
    assert.is(answer.status, 303)
  })
})

const field = () =>
  fc.dictionary(
    fc.constantFrom('value', 'answer', 'attempt', 'username', 'password', 'code', 'state', 'with', 'provider'),
    fc.constantFrom('', '1', 'allow', 'deny', 'cancel', 'two', 'x'.repeat(300), '\u0000', '%', '<b>'),
  )
const cookies = () =>
  fc.array(
    fc.constantFrom(
      browser,
      'engine=',
      '__Host-clientele-login=a~b',
      '__Host-clientele-session=x',
      ';;=',
      '__Host-clientele-login=',
    ),
  )

routes('any form, query and cookies get a page or a redirect, never a failure', async (shell) => {
  for (const login of [undefined, one, two]) {
    const { world, httpPorts } = await createSignIn(login === undefined ? {} : { login })
    const listener = shell.createPublicListener(httpSettings(), { ...world, ...httpPorts }, served)
    await withServer(listener, (wire) =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(
            ...paths,
            '/interaction/interaction-1/login',
            '/interaction/interaction-1/consent',
            '/interaction/%00',
          ),
          fc.constantFrom('GET', 'POST'),
          field(),
          cookies(),
          async (path, method, fields, given) => {
            const form = new URLSearchParams(fields).toString()
            const { status } = await send(wire, method, method === 'GET' ? `${path}?${form}` : path, {
              headers: { cookie: given.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
              ...(method === 'POST' ? { body: form } : {}),
            })
            assert.ok([200, 303, 400, 401, 403, 404, 405, 429].includes(status), `${method} ${path}: ${status}`)
          },
        ),
        runParameters(),
      ),
    )
  }
})

routes.run()
