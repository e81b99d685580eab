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
  [
    fc.webUrl({ withQueryParameters: true }),
    fc.constantFrom('https', 'http://localhost', 'http://a.localhost', 'http://127.0.0.2', 'http://[::1]:8080'),
  ],
  (any, to) => {
    const url = any.replace(to === 'https' ? /^https?/ : /^https?:\/\/[^/?#]*/, to)
    const made = logoutElsewhereUrl(
      { end_session_endpoint: url, client_id: 'c d', id_token_hint },
      'https://a.example/?b=c',
    )
    const { origin, pathname, searchParams } = new URL(made ?? '')
    assert.is(origin + pathname, new URL(url).origin + new URL(url).pathname)
    assert.equal(
      ['client_id', 'id_token_hint', 'post_logout_redirect_uri'].map((name) => searchParams.get(name)),
      ['c d', id_token_hint, 'https://a.example/?b=c'],
    )
  },
)

const notFollowed = [
  '',
  'javascript:alert(1)',
  'javascript://localhost/%0Aalert(1)',
  'ftp://localhost',
  '//a',
  'http://a.example',
  'http://localhost.example',
  'http://notlocalhost',
  'http://127.0.0.1.example',
  'http://localhost@a.example',
]

Upstream('an endpoint that is neither an https URL nor an http URL on loopback is not followed', () => {
  for (const end_session_endpoint of notFollowed)
    assert.is(logoutElsewhereUrl({ end_session_endpoint, client_id: 'c', id_token_hint }, undefined), undefined)
})

Upstream.run()
