// Modules about the redirection URI of a request: OpenID Core §3.1.2.1, Registration §2. The browser must stay on a page.
import * as assert from 'uvu/assert'
import { registerOpenly } from '../../support/requests.js'
import { callback } from '../../sign-in/support/provider.js'
import { type Parameters, checkRefused, flow, requestOf, urlOf } from './flow.js'
import type { Module } from './plan.js'

const showsError =
  (registered: ReadonlyArray<string>, parameters: Parameters): Module =>
  async (op) => {
    const request = requestOf(await op.client({ redirect_uris: registered }), parameters)
    const { end, status, page, requested } = await op.browser().visit(urlOf(op, request))
    assert.is(end, undefined, 'the browser is redirected')
    assert.equal([status, requested], [400, []])
    assert.match(page, /<h1/)
  }

const withQuery = `${callback}?foo=bar`

export const registeredRedirectUri = showsError([callback], { redirect_uri: `${callback}/unregistered` })
export const missingRedirectUri = showsError([callback, `${callback}/2`], { redirect_uri: undefined })
export const queryMismatch = showsError([withQuery], { redirect_uri: `${callback}?foo=not` })
export const queryAdded = showsError([callback], { redirect_uri: withQuery })

export const queryOk: Module = async (op) => {
  const { request } = await flow(op, await op.client({ redirect_uris: [withQuery] }))
  assert.is(request.get('redirect_uri'), withQuery)
}

export const registeredFragment: Module = async (op) => {
  checkRefused(
    await registerOpenly(op.provider.service, { redirect_uris: [`${callback}#foobar`] }),
    'invalid_redirect_uri',
  )
}
