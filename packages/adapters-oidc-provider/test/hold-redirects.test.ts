import { exampleClient } from '@clientele/testing'
import { EventEmitter } from 'node:events'
import type { Provider } from 'oidc-provider'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdRedirects } from '../src/answers.js'

const Hold = suite('redirects to clients that no end-user has approved')

const [redirect_uri] = exampleClient('any').metadata.redirect_uris ?? []

type Failing = {
  readonly route?: string
  readonly status?: number
  readonly params?: object | undefined
  readonly session?: object
}

const failing = (event: string, known: object | undefined, given: Failing = {}) => {
  const { route, status, params, session } = {
    route: 'authorization',
    status: 303,
    params: { redirect_uri },
    session: undefined,
    ...given,
  }
  const provider = new EventEmitter() as unknown as Provider
  holdRedirects(provider)
  const cause = Object.assign(new Error('any'), { allow_redirect: true })
  const request = { status, oidc: known && { client: { known, clientId: 'any' }, route, params, session } }
  ;(provider as unknown as EventEmitter).emit(event, request, cause)
  return [cause.allow_redirect, request.status]
}

const client = exampleClient('any')
const unapproved = { kind: 'documented', client, approved: undefined }

for (const event of ['authorization.error', 'server_error']) {
  Hold(`${event}: a document without approval gets a page, with the status of an error`, () => {
    assert.equal(failing(event, unapproved), [false, 400])
    assert.equal(failing(event, unapproved, { status: 500 }), [false, 500])
  })

  Hold(`${event}: a resumption without an interaction gets a page`, () => {
    assert.equal(failing(event, unapproved, { route: 'resume', params: undefined }), [false, 400])
  })

  const open = { kind: 'registered', client: { ...client, registered_by: 'nobody' } }

  Hold(`${event}: so does a client of open registration, until the end-user of the browser has consented`, () => {
    for (const session of [{}, { authorizations: {} }, { authorizations: { any: {}, other: { grantId: 'g' } } }])
      assert.equal(failing(event, open, { session }), [false, 400])
    assert.equal(failing(event, open, { session: { authorizations: { any: { grantId: 'g' } } } }), [true, 303])
    assert.equal(failing(event, open, { route: 'resume' }), [true, 303])
  })

  // RFC 9700 §4.11.2: silent authentication
  Hold(`${event}: but not where it asks for no page`, () => {
    assert.equal(failing(event, open, { params: { redirect_uri, prompt: 'none' } }), [true, 303])
    assert.equal(failing(event, open, { params: { redirect_uri, prompt: 'none login' } }), [false, 400])
    assert.equal(failing(event, unapproved, { params: { redirect_uri, prompt: 'none' } }), [false, 400])
  })

  Hold(`${event}: others get their redirect`, () => {
    assert.equal(failing(event, { ...unapproved, approved: client }), [true, 303])
    assert.equal(failing(event, { kind: 'registered', client }), [true, 303])
    assert.equal(failing(event, unapproved, { route: 'resume' }), [true, 303])
    assert.equal(failing(event, undefined), [true, 303])
  })
}

Hold.run()
