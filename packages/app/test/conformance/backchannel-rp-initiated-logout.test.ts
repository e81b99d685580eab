// The plan for Back-Channel OP: Back-Channel Logout §2.4, §2.5. The application receives logout tokens over TLS on loopback.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/bundled-program.js'
import { startReceiver, tokensOf, until } from '../support/receivers.js'
import { serveBy } from '../support/service.js'
import { backChannelMetadata } from './support/discovery.js'
import { isAt, isSignedOut, logOut, signedIn, state, usual } from './support/logout.js'
import { startOp } from './support/op.js'
import { type Module, runPlan } from './support/plan.js'

serveBy(bundledProgram('service-with-receivers'))

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const logout: Module = async (op) => {
  const receiver = await startReceiver()
  const user = await signedIn(op, {
    backchannel_logout_uri: receiver.uri,
    backchannel_logout_session_required: true,
  })
  isAt((await logOut(user, usual(user))).end?.href, [['state', state]])
  await until(() => receiver.received.length === 1)
  const [received] = receiver.received
  assert.equal([received?.path, received?.type], ['POST /logout?from=op', 'application/x-www-form-urlencoded'])
  assert.equal(
    received?.form.map(([name]) => name),
    ['logout_token'],
  )
  const keys = createRemoteJWKSet(new URL(String(op.metadata['jwks_uri'])))
  const options = { issuer: String(op.metadata['issuer']), audience: user.client.id, algorithms: ['RS256'] }
  const { payload } = await jwtVerify(tokensOf(receiver)[0] ?? '', keys, options)
  const { iat = 0, exp = 0, jti, events, sub, sid } = payload as Record<string, unknown> & typeof payload
  assert.ok(Math.abs(iat - Date.now() / 1000) < 120, 'iat')
  assert.ok(exp > iat)
  assert.match(jti ?? '', /^\S{16,}$/)
  assert.equal(events, { [logoutEvent]: {} })
  assert.not.ok('nonce' in payload)
  const { claims } = user.flow.idToken
  assert.equal([sub, sid], [claims.sub, claims['sid']])
  await isSignedOut(user)
  await receiver.stop()
}

runPlan(
  'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
  () => startOp('client_secret_basic', { CLIENTELE_OUTBOUND_FETCHES: 'true' }),
  {
    'oidcc-backchannel-logout-discovery-endpoint-verification': backChannelMetadata,
    'oidcc-backchannel-rp-initiated-logout': logout,
  },
)
