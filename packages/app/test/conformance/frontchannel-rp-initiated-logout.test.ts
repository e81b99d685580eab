// The plan for Front-Channel OP: Front-Channel Logout §2, §3.
import * as assert from 'uvu/assert'
import { frontChannelMetadata } from './support/discovery.js'
import { isAt, isSignedOut, logOut, signedIn, state, usual } from './support/logout.js'
import { startOp } from './support/op.js'
import { type Module, runPlan } from './support/plan.js'

const frontUri = 'https://rp.example/frontchannel_logout'

const framesIn = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, uri = '']) => uri.replaceAll('&amp;', '&'))

const logout: Module = async (op) => {
  const user = await signedIn(op, {
    frontchannel_logout_uri: frontUri,
    frontchannel_logout_session_required: true,
  })
  const { status, page, headers } = await logOut(user, usual(user))
  assert.is(status, 200)
  const [frame, ...more] = framesIn(page).map((uri) => new URL(uri))
  assert.equal(more, [])
  assert.is(`${frame?.origin}${frame?.pathname}`, frontUri)
  assert.equal(
    [...(frame?.searchParams ?? [])],
    [
      ['iss', op.metadata['issuer']],
      ['sid', user.flow.idToken.claims['sid']],
    ],
  )
  assert.match(headers.get('content-security-policy') ?? '', `; frame-src ${new URL(frontUri).origin}; `)
  // Then the browser goes to the application.
  isAt((headers.get('refresh') ?? '').split('url=')[1], [['state', state]])
  await isSignedOut(user)
}

runPlan('oidcc-frontchannel-rp-initiated-logout-certification-test-plan', () => startOp(), {
  'oidcc-frontchannel-logout-discovery-endpoint-verification': frontChannelMetadata,
  'oidcc-frontchannel-rp-initiated-logout': logout,
})
