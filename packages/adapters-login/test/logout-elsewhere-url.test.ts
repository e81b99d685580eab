import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { logoutElsewhereUrl } from '../src/index.js'

const Upstream = suite('the logout at another provider')
const it = law(Upstream)

const id_token_hint = 'a.b.c'
it(
  'the logout elsewhere keeps the endpoint and carries the hint',
  [fc.webUrl({ withQueryParameters: true })],
  (url) => {
    const made = logoutElsewhereUrl(
      { end_session_endpoint: url, client_id: 'c d', id_token_hint },
      'https://a.example/?b=c',
    )
    if (!url.startsWith('https:')) return assert.is(made, undefined)
    const { origin, pathname, searchParams } = new URL(made ?? '')
    assert.is(origin + pathname, new URL(url).origin + new URL(url).pathname)
    assert.equal(
      ['client_id', 'id_token_hint', 'post_logout_redirect_uri'].map((name) => searchParams.get(name)),
      ['c d', id_token_hint, 'https://a.example/?b=c'],
    )
  },
)

Upstream('an endpoint that is no https URL is not followed', () => {
  for (const end_session_endpoint of ['', 'javascript:alert(1)', 'http://a.example', '//a'])
    assert.is(logoutElsewhereUrl({ end_session_endpoint, client_id: 'c', id_token_hint }, undefined), undefined)
})

Upstream.run()
