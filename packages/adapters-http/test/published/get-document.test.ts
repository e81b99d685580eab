import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getDocument } from '../../src/routes/published.js'
import { httpRequest } from '../support/http-request.js'

const GetDocument = suite('getDocument')

const text = '<!doctype html><title>A page</title>'
const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'none'" }
const get = getDocument({ path: '/page', headers, text })

GetDocument(
  'it is served as it is, with what a browser has to know, and may be kept but is asked for each time',
  () => {
    const response = get(httpRequest({}))
    assert.is(response.status, 200)
    assert.equal(response.body, { kind: 'text', text })
    const { ETag = '', ...others } = response.headers
    assert.match(ETag, /^"[\w-]{43}"$/)
    assert.equal(others, { ...headers, 'Cache-Control': 'public, max-age=0' })
  },
)

GetDocument('whoever has it gets 304, and nothing of it', () => {
  const { headers: first } = get(httpRequest({}))
  const response = get(httpRequest({ ifNoneMatch: first['ETag'] }))
  assert.is(response.status, 304)
  assert.equal(response.body, { kind: 'empty' })
  assert.equal(Object.keys(response.headers), ['ETag', 'Cache-Control'])
})

GetDocument.run()
