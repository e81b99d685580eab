import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publishing, publishingOnce, render } from '../../src/routes/published.js'
import { httpRequest } from '../support/http-request.js'

const published = suite('what is published')

const rendered = render({ keys: [] })
const statusFor = (ifNoneMatch: string | undefined): number =>
  publishing(rendered, 60)(httpRequest({ ifNoneMatch })).status

published('has a strong entity tag, and says how long it may be kept (RFC 9110 §8.8.3, RFC 9111 §5.2.2)', () => {
  const { status, headers, body } = publishing(rendered, 60)(httpRequest())
  assert.is(status, 200)
  assert.match(headers['ETag'] ?? '', /^"[\w-]{43}"$/)
  assert.is(headers['Cache-Control'], 'public, max-age=60')
  assert.is(headers['Content-Type'], 'application/json')
  assert.is(body.kind === 'text' && body.text, '{"keys":[]}')
})

published('whoever has it already is told so, without a body (RFC 9110 §13.1.2)', () => {
  const { etag } = rendered
  for (const cached of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`, '*', ' * ', `${etag} , "other"`])
    assert.is(statusFor(cached), 304, cached)
  const { headers, body } = publishing(rendered, 5)(httpRequest({ ifNoneMatch: etag }))
  assert.equal([headers, body], [{ ETag: etag, 'Cache-Control': 'public, max-age=5' }, { kind: 'empty' }])
})

published('whoever has something else gets it', () => {
  for (const cached of [undefined, '', '"other"', rendered.etag.replaceAll('"', ''), `w/${rendered.etag}`, ','])
    assert.is(statusFor(cached), 200, cached)
})

published('whatever is held, the answer is the whole or nothing', () => {
  fc.assert(
    fc.property(fc.string(), (cached) => {
      assert.ok([200, 304].includes(statusFor(cached)))
      assert.is(statusFor(cached) === 304, cached.trim() === '*')
    }),
  )
})

published('the same bytes have the same tag, other bytes another', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.is(render(one).etag === render(other).etag, JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})

published('it is rendered once per change', () => {
  const once = publishingOnce()
  const one = { a: 1 }
  const other = { a: 1 }
  const tagOf = (value: object, maxAge: number) => once(value, maxAge)(httpRequest()).headers['ETag']
  const handler = once(one, 60)
  const tag = tagOf(one, 60)
  assert.is(once(one, 60), handler)
  assert.is.not(once(other, 60), handler)
  assert.is(tagOf(other, 60), tag)
  assert.is.not(once(one, 60), handler)
  assert.is.not(once(one, 59), once(one, 60))
  assert.is(tagOf(one, 59), tag)
})

published.run()
