import {
  type Fault,
  type Refusal,
  clientInForce,
  noClientSecret,
  countChanged,
  idempotencyKeyReused,
  invalidRequest,
  invalidSettings,
  invalidToken,
  missingToken,
  preconditionFailed,
  preconditionRequired,
  registrationChanged,
  registryFull,
  restorationConflict,
  sessionFull,
  unavailable,
  unknownClient,
  unknownConnection,
  unknownInitialAccessToken,
  unknownNotification,
  unknownOperatorToken,
  unknownSession,
} from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type TransportRefusal, errorResponse, transportResponse } from '../../src/http/response.js'
import { checkAnswer } from '../support/every-route.js'

const errors = suite('errorResponse')

const empty = { kind: 'empty' }
const fault: Fault = { pointer: '/redirect_uris/0', rule: 'lifetime', description: 'redirect_uris of a test' }
const known = { error_description: 'why', known: ['one', 'two'] }
const faults = { error_description: fault.description, errors: [fault] as const }

// A record, so that a new refusal does not compile without its row.
const table: {
  readonly [Code in Refusal['error']]: {
    readonly refusal: Refusal & { readonly error: Code }
    readonly status: number
  }
} = {
  invalid_request: { refusal: invalidRequest('The body is not valid JSON'), status: 400 },
  invalid_redirect_uri: { refusal: { error: 'invalid_redirect_uri', ...faults }, status: 400 },
  invalid_client_metadata: { refusal: { error: 'invalid_client_metadata', ...faults }, status: 400 },
  invalid_software_statement: { refusal: { error: 'invalid_software_statement', ...faults }, status: 400 },
  unapproved_software_statement: { refusal: { error: 'unapproved_software_statement', ...faults }, status: 400 },
  registry_full: { refusal: registryFull, status: 403 },
  invalid_scope: { refusal: { error: 'invalid_scope', ...faults }, status: 400 },
  too_many_requests: {
    refusal: { error: 'too_many_requests', kind: 'credentials', scope: 'source', retryAfter: 1_001 },
    status: 429,
  },
  missing_token: { refusal: missingToken('This needs a token'), status: 401 },
  invalid_token: { refusal: invalidToken, status: 401 },
  insufficient_scope: {
    refusal: { error: 'insufficient_scope', error_description: 'needs "client-reg:data"' },
    status: 403,
  },
  unknown_client: { refusal: unknownClient, status: 404 },
  unknown_algorithm: { refusal: { error: 'unknown_algorithm', ...known }, status: 400 },
  invalid_keys: {
    refusal: { error: 'invalid_keys', error_description: 'why', faults: ['keys[0] is public'] },
    status: 400,
  },
  unknown_kid: { refusal: { error: 'unknown_kid', ...known }, status: 404 },
  roll_over_under_way: { refusal: { error: 'roll_over_under_way', error_description: 'why' }, status: 409 },
  unknown_operator_token: { refusal: unknownOperatorToken, status: 404 },
  invalid_settings: { refusal: invalidSettings(['theme-dir: x must be a file']), status: 409 },
  unknown_initial_access_token: { refusal: unknownInitialAccessToken, status: 404 },
  too_many_foreign_keys: { refusal: { error: 'too_many_foreign_keys', error_description: 'why' }, status: 409 },
  kid_known: { refusal: { error: 'kid_known', error_description: 'why' }, status: 409 },
  unknown_session: { refusal: unknownSession, status: 404 },
  unknown_connection: { refusal: unknownConnection, status: 404 },
  precondition_failed: { refusal: preconditionFailed, status: 412 },
  idempotency_conflict: { refusal: registrationChanged, status: 409 },
  idempotency_key_reused: { refusal: idempotencyKeyReused, status: 422 },
  precondition_required: { refusal: preconditionRequired, status: 428 },
  count_changed: { refusal: countChanged(3), status: 409 },
  client_id_taken: { refusal: restorationConflict, status: 409 },
  client_in_force: { refusal: clientInForce, status: 409 },
  client_secret_conflict: { refusal: noClientSecret, status: 409 },
  session_full: { refusal: sessionFull, status: 409 },
  unknown_notice: { refusal: unknownNotification, status: 404 },
  unavailable: { refusal: unavailable(new Error('disk full at /secret/path')), status: 503 },
}

errors('every refusal of the domain has its status', () => {
  for (const { refusal, status } of Object.values(table))
    assert.is(errorResponse(refusal).status, status, refusal.error)
})

errors('a 400 is application/json with error and error_description, and no challenge (RFC 7591 §3.2.2)', () => {
  for (const { refusal } of Object.values(table).filter(({ status }) => status === 400)) {
    const { status, headers, body } = errorResponse(refusal)
    assert.equal([status, headers], [400, { 'Content-Type': 'application/json' }])
    assert.equal(body, { kind: 'json', value: refusal })
  }
})

errors('a failure of the store tells what was done before it, and no detail', () => {
  const done = { error_description: 'why', changed: 3, failed: 1, next: 'b2-1' }
  const { status, headers, body } = errorResponse({ ...unavailable(new Error('disk full at /secret/path')), done })
  assert.equal([status, headers['Retry-After']], [503, '1'])
  const value = { error: 'unavailable', ...done }
  assert.equal(body, { kind: 'json', value })
  for (const path of ['/manage/v1/clients/suspension', '/manage/v1/connections/revocation'])
    checkAnswer('POST', path, { status, type: 'application/json', text: JSON.stringify(value) })
  assert.throws(
    () => checkAnswer('POST', '/clients', { status, type: 'application/json', text: JSON.stringify(value) }),
    /does not describe the answer 503/,
  )
})

errors('all faults of a body are told in errors', () => {
  const { body } = errorResponse(table.invalid_redirect_uri.refusal)
  assert.equal(body.kind === 'json' && body.value, { error: 'invalid_redirect_uri', ...faults })
})

errors('a missing credential is 401 with a bare challenge; the body says what to present (RFC 6750 §3.1)', () => {
  const { refusal } = table.missing_token
  assert.equal(errorResponse(refusal), {
    status: 401,
    headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' },
    body: { kind: 'json', value: refusal },
    refusal: { error: 'missing_token' },
  })
})

errors(
  '401 and 403 have the two texts of their challenge as a JSON body, its quotes escaped in the header alone',
  () => {
    for (const { refusal, status } of [table.invalid_token, table.insufficient_scope]) {
      const { error, error_description } = refusal
      assert.equal(errorResponse(refusal), {
        status,
        headers: {
          'Content-Type': 'application/json',
          'WWW-Authenticate': `Bearer error="${error}", error_description="${error_description.replaceAll('"', '\\"')}"`,
        },
        body: { kind: 'json', value: refusal },
        refusal: { error },
      })
    }
  },
)

errors('an unknown client is 404 with an empty body and no challenge', () => {
  assert.equal(errorResponse(unknownClient), {
    status: 404,
    headers: {},
    body: empty,
    refusal: { error: 'unknown_client' },
  })
})

errors('an unavailable store is 503 with Retry-After, and its detail is for the log alone', () => {
  const { refusal } = table.unavailable
  assert.equal(errorResponse(refusal), {
    status: 503,
    headers: { 'Retry-After': '1' },
    body: empty,
    detail: refusal.detail,
    refusal: { error: 'unavailable' },
  })
})

const transport: {
  readonly [Code in TransportRefusal['error']]: { readonly refusal: TransportRefusal; readonly status: number }
} = {
  too_large: { refusal: { error: 'too_large' }, status: 413 },
  unsupported_encoding: { refusal: { error: 'unsupported_encoding' }, status: 415 },
  not_found: { refusal: { error: 'not_found' }, status: 404 },
  method_not_allowed: { refusal: { error: 'method_not_allowed', allow: ['GET', 'HEAD'] }, status: 405 },
  defect: { refusal: { error: 'defect', detail: new Error('why') }, status: 500 },
}

errors('what the transport refuses has its status; 413 and 415 say invalid_request', () => {
  for (const { refusal, status } of Object.values(transport)) {
    const { body, ...response } = transportResponse(refusal)
    assert.is(response.status, status, refusal.error)
    if (body.kind === 'json')
      assert.match(JSON.stringify(body.value), /^\{"error":"invalid_request","error_description":"[^"]+"\}$/)
    assert.is(body.kind, [413, 415].includes(status) ? 'json' : 'empty', refusal.error)
  }
})

errors('429 tells when to try again, in whole seconds, and the log whose budget is exhausted (RFC 6585 §4)', () => {
  const { headers, reason } = errorResponse(table.too_many_requests.refusal)
  assert.is(headers['Retry-After'], '2')
  assert.is(reason, 'credentials')
  const all = { error: 'too_many_requests', kind: 'credentials', scope: 'all', retryAfter: 0 } as const
  assert.is(errorResponse(all).headers['Retry-After'], '1')
  assert.is(errorResponse(all).reason, 'credentials_in_all')
})

errors('405 tells the methods of the path (RFC 9110 §15.5.6)', () => {
  assert.equal(transportResponse(transport.method_not_allowed.refusal).headers, { Allow: 'GET, HEAD' })
})

errors('a defect is an empty 500, and why is for the log alone', () => {
  const response = transportResponse(transport.defect.refusal)
  assert.equal([response.headers, response.body], [{}, empty])
  assert.instance(response.detail, Error)
})

errors('one thing is named as one', () => {
  assert.match(countChanged(1, 'connections').error_description, 'selects 1 connection now')
  assert.match(countChanged(0).error_description, 'selects 0 clients now')
})

errors.run()
