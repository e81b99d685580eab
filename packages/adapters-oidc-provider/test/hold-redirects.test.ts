import { exampleClient } from '@clientele/testing'
import { EventEmitter } from 'node:events'
import type { Provider } from 'oidc-provider'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdRedirects } from '../src/clients/hold-redirects.js'

const Hold = suite('redirects to clients that no end-user has approved')

const [redirect_uri] = exampleClient('any').metadata.redirect_uris ?? []

const failing = (event: string, known: object | undefined, route = 'authorization', status = 303) => {
  const provider = new EventEmitter() as unknown as Provider
  holdRedirects(provider)
  const cause = Object.assign(new Error('any'), { allow_redirect: true })
  const request = { status, oidc: known && { client: { known }, route, params: { redirect_uri } } }
  ;(provider as unknown as EventEmitter).emit(event, request, cause)
  return [cause.allow_redirect, request.status]
}

const client = exampleClient('any')
const unapproved = { kind: 'documented', client, approved: undefined }

for (const event of ['authorization.error', 'server_error']) {
  Hold(`${event}: a document without approval gets a page, with the status of an error`, () => {
    assert.equal(failing(event, unapproved), [false, 400])
    assert.equal(failing(event, unapproved, 'authorization', 500), [false, 500])
  })

  Hold(`${event}: others get their redirect`, () => {
    assert.equal(failing(event, { ...unapproved, approved: client }), [true, 303])
    assert.equal(failing(event, { kind: 'registered', client }), [true, 303])
    assert.equal(failing(event, unapproved, 'resume'), [true, 303])
    assert.equal(failing(event, undefined), [true, 303])
  })
}

Hold.run()
