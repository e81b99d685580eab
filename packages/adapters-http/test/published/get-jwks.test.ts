import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, keysOf, maxSkew, rollOver } from '@clientele/domain/keys'
import { publishJwkSet } from '@clientele/domain/operations'
import { namedKey } from '@clientele/testing'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpResponse } from '../../src/http/response.js'
import { getJwks } from '../../src/routes/published.js'
import { httpRequest, membersOf } from '../support/http-request.js'
import { at, createWorld, httpSettings } from '../support/in-memory-ports.js'
import {
  keyFor,
  keyPolicyHere as policy,
  privateJwk,
  right,
  ringWith,
  secretsOf,
  tellsNothing,
} from '../support/keys.js'
import { shells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const jwks = suite('GET /jwks.json')

const [es, ed, rsa] = await Promise.all([keyFor('ES256'), keyFor('EdDSA'), keyFor('RSA-OAEP-256')])
const rings: ReadonlyArray<KeyRing> = [
  ringWith('ES256', es),
  ringWith('EdDSA', ed),
  ringWith('RSA-OAEP-256', rsa, 'enc'),
]

type Answered = (ifNoneMatch?: string, now?: EpochSeconds) => Promise<HttpResponse>

/** One handler, so that it uses its rendered text for the next request. */
const serving = (given: () => ReadonlyArray<KeyRing>): Answered => {
  const read = { at, age: 0 }
  const publish = publishJwkSet(policy)
  const last = { rings: given(), publishedJwkSet: publish(given(), []) }
  const handler = getJwks({
    publishedJwkSet: () => {
      if (last.rings !== given()) Object.assign(last, { rings: given(), publishedJwkSet: publish(given(), []) })
      return last.publishedJwkSet(read)
    },
  })
  return async (ifNoneMatch, now = at) => {
    read.at = now
    return handler(httpRequest({ ifNoneMatch }))
  }
}

const renderedOf = ({ body }: HttpResponse): string => {
  if (body.kind !== 'text') throw new Error(`the answer is ${body.kind}`)
  return body.text
}

const maxAge = (answer: HttpResponse): string | undefined => answer.headers['Cache-Control']

jwks('a set that could lack a key that signs is not served: 503, and none of its keys', async () => {
  const publish = publishJwkSet(policy)(rings, [])
  const answeredAt = async (age: number) => getJwks({ publishedJwkSet: () => publish({ at, age }) })(httpRequest())
  const last = await answeredAt(policy.publishAhead - maxSkew - 1)
  assert.equal([last.status, maxAge(last)], [200, 'public, max-age=1'])
  const answer = await answeredAt(policy.publishAhead - maxSkew)
  assert.equal([answer.status, answer.headers, answer.body], [503, { 'Retry-After': '1' }, { kind: 'empty' }])
  assert.is(answer.detail, `the key rings were not read since ${at} (in seconds since 1970)`)
})

jwks('the set has every key with its kid, use and alg (RFC 7517 §4)', async () => {
  const answer = await serving(() => rings)()
  assert.is(answer.status, 200)
  assert.is(answer.headers['Content-Type'], 'application/json')
  assert.equal(membersOf(answer), {
    keys: [
      { ...es.jwk, kid: es.kid, use: 'sig', alg: 'ES256' },
      { ...ed.jwk, kid: ed.kid, use: 'sig', alg: 'EdDSA' },
      { ...rsa.jwk, kid: rsa.kid, use: 'enc', alg: 'RSA-OAEP-256' },
    ],
  })
})

jwks('keys that will sign or have signed are in it, and of those to encrypt to only the present one', async () => {
  const more = ['next', 'last'].map((kid) => ({ ...namedKey(kid), publishedAt: at }))
  const full = rings.map((ring) => {
    const [next, last] = more.map((key) => ({ ...key, kid: `${ring.alg} ${key.kid}` }))
    if (next === undefined || last === undefined) return ring
    const retired = [{ key: last, since: at, forgottenAt: secondsAfter(at, 10) }]
    return { ...ring, announced: { key: next, signsFrom: secondsAfter(at, 10) }, retired }
  })
  const { keys } = membersOf(await serving(() => full)())
  assert.ok(Array.isArray(keys))
  const sets = full.slice(0, 2).flatMap((ring) => keysOf(ring).map(({ key }) => key.kid))
  assert.equal(
    keys.map((key: { readonly kid: string }) => key.kid),
    [...sets, rsa.kid],
  )
})

jwks('no ring is an empty set', async () => {
  assert.equal(membersOf(await serving(() => [])()), { keys: [] })
})

jwks('no private half of any key is in the bytes', async () => {
  const secrets = [es, ed, rsa].flatMap((key) => secretsOf(privateJwk(key)))
  assert.is(secrets.length, 8)
  tellsNothing(renderedOf(await serving(() => rings)()), secrets)
})

jwks('it may be kept as long as the policy says, and less when the next change is nearer', async () => {
  const answered = serving(() => rings)
  const due = at + policy.lifetime - policy.publishAhead
  assert.is(maxAge(await answered()), 'public, max-age=3600')
  for (const [left, age] of [
    [policy.maxAge + 1, 3600],
    [policy.maxAge, 3600],
    [policy.maxAge - 1, 3599],
    [1, 1],
    [0, 0],
    [-100, 0],
  ] as const)
    assert.is(maxAge(await answered(undefined, secondsAfter(at, due - left - at))), `public, max-age=${age}`)
})

jwks('that there are no keys yet is for nobody to keep', async () => {
  assert.is(maxAge(await serving(() => [])()), 'public, max-age=0')
})

jwks('the nearest change of any ring counts: a successor that signs, a key that is forgotten', async () => {
  const [first, ...others] = rings
  assert.ok(first)
  const rolled = right(rollOver(policy, at)(first, namedKey('next')))
  const answered = serving(() => [rolled, ...others])
  assert.is(maxAge(await answered(undefined, secondsAfter(at, policy.publishAhead - 77))), 'public, max-age=77')
  const retired = [{ key: { ...namedKey('last'), publishedAt: at }, since: at, forgottenAt: secondsAfter(at, 55) }]
  assert.is(maxAge(await serving(() => [...others, { ...first, retired }])()), 'public, max-age=55')
})

jwks('whoever has it is answered 304: by the tag, in a list, weakly compared, or by * (RFC 9110 §13.1.2)', async () => {
  const answered = serving(() => rings)
  const { ETag: etag = '' } = (await answered()).headers
  assert.match(etag, /^"[A-Za-z0-9_-]{43}"$/)
  const lists = [`"a", ${etag}`, `${etag},"b"`, `W/"a" , W/${etag}`]
  for (const ifNoneMatch of [etag, ` ${etag} `, `W/${etag}`, ...lists, '*', ' * ']) {
    const { status, headers, body } = await answered(ifNoneMatch)
    assert.equal([status, body], [304, { kind: 'empty' }], ifNoneMatch)
    assert.equal(headers, { ETag: etag, 'Cache-Control': 'public, max-age=3600' }, ifNoneMatch)
  }
})

jwks('whoever has another one is sent it', async () => {
  const answered = serving(() => rings)
  const { ETag: etag = '' } = (await answered()).headers
  const bare = etag.slice(1, -1)
  for (const ifNoneMatch of [
    '"another"',
    '',
    bare,
    `"${bare}x"`,
    `"${bare.slice(1)}"`,
    `w/${etag}`,
    '"*"',
    '**',
    'W/*',
  ])
    assert.is((await answered(ifNoneMatch)).status, 200, ifNoneMatch)
})

jwks('the same rings are rendered once, and others anew, with another tag', async () => {
  const now = { rings }
  const answered = serving(() => now.rings)
  const first = await answered()
  const second = await answered()
  assert.is(renderedOf(first), renderedOf(second))
  now.rings = rings.slice(1)
  const other = await answered(first.headers['ETag'])
  assert.is(other.status, 200)
  assert.is.not(other.headers['ETag'], first.headers['ETag'])
  assert.is(renderedOf(other), renderedOf(await serving(() => rings.slice(1))()))
  now.rings = [...rings]
  assert.is((await answered()).headers['ETag'], first.headers['ETag'])
})

jwks('another instance has the same tag: the hash of the bytes', async () => {
  const one = await serving(() => rings)()
  const other = await serving(() => [...rings])()
  assert.is(one.headers['ETag'], other.headers['ETag'])
  assert.is(one.headers['ETag'], `"${createHash('sha256').update(renderedOf(one)).digest('base64url')}"`)
})

const world = createWorld({ keyRings: () => rings })

jwks('everybody is served it, and pages of any origin may read it', async () => {
  for (const shell of shells)
    await withServer(shell.createPublicListener(httpSettings(), world, { withOperators: false }), async (wire) => {
      const { status, headers, body } = await send(wire, 'GET', '/jwks.json', {
        headers: { origin: 'https://a.example' },
      })
      assert.equal([status, body.toString()], [200, renderedOf(await serving(() => rings)())])
      assert.is(headers['cache-control'], 'public, max-age=3600')
      assert.is(headers['access-control-allow-origin'], '*')
      const again = await send(wire, 'GET', '/jwks.json', { headers: { 'if-none-match': headers.etag } })
      assert.equal([again.status, again.body.length, again.headers.etag], [304, 0, headers.etag])
    })
})

jwks('operators are served the same bytes, which nobody keeps', async () => {
  for (const shell of shells)
    await withServer(shell.createManagementListener(httpSettings(), world), async (wire) => {
      const { status, headers, body } = await send(wire, 'GET', '/jwks.json')
      assert.equal([status, body.toString()], [200, renderedOf(await serving(() => rings)())])
      assert.is(headers['cache-control'], 'no-store')
    })
})

jwks.run()
