// The plan for RP-Initiated OP: RP-Initiated Logout §2, §3.
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose'
import * as assert from 'uvu/assert'
import { signedOut } from '../sign-in/support/provider.js'
import { rpInitiatedMetadata } from './support/discovery.js'
import { type Parameters, type SignedIn, isAt, isSignedOut, logOut, signedIn, state, usual } from './support/logout.js'
import { startOp } from './support/op.js'
import { type Module, runPlan } from './support/plan.js'

type Changed = (signedIn: SignedIn) => Parameters | Promise<Parameters>

/** The browser arrives at the application, with exactly these parameters. */
const redirects =
  (changed: Changed, parameters: ReadonlyArray<[string, string]>): Module =>
  async (op) => {
    const user = await signedIn(op)
    isAt((await logOut(user, await changed(user))).end?.href, parameters)
    await isSignedOut(user)
  }

/** The browser stays on a page, and the end-user, who confirmed it, is signed out. */
const staysOnPage =
  (changed: Changed): Module =>
  async (op) => {
    const user = await signedIn(op)
    const { end, status, headers } = await logOut(user, await changed(user))
    assert.equal([end, status, headers.get('refresh')], [undefined, 200, null])
    await isSignedOut(user)
  }

const claimsOf = ({ flow: { idToken } }: SignedIn) => ({ ...idToken.claims })

const signedByOther = async (user: SignedIn): Promise<string> => {
  const { privateKey } = await generateKeyPair('RS256')
  const header = { alg: 'RS256', kid: String(user.flow.idToken.header.kid) }
  return new SignJWT(claimsOf(user)).setProtectedHeader(header).sign(privateKey)
}

runPlan('oidcc-rp-initiated-logout-certification-test-plan', () => startOp(), {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': rpInitiatedMetadata,
  'oidcc-rp-initiated-logout': redirects(usual, [['state', state]]),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': staysOnPage((user) => ({
    ...usual(user),
    post_logout_redirect_uri: `${signedOut}/unregistered`,
  })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': staysOnPage((user) => ({
    ...usual(user),
    id_token_hint: new UnsecuredJWT(claimsOf(user)).encode(),
  })),
  'oidcc-rp-initiated-logout-no-id-token-hint': staysOnPage(() => ({ post_logout_redirect_uri: signedOut, state })),
  'oidcc-rp-initiated-logout-no-params': staysOnPage(() => ({})),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': staysOnPage(({ flow }) => ({
    id_token_hint: flow.idToken.text,
    state,
  })),
  'oidcc-rp-initiated-logout-no-state': redirects(
    ({ flow }) => ({ id_token_hint: flow.idToken.text, post_logout_redirect_uri: signedOut }),
    [],
  ),
  'oidcc-rp-initiated-logout-only-state': staysOnPage(() => ({ state })),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': staysOnPage((user) => ({
    ...usual(user),
    post_logout_redirect_uri: `${signedOut}?foo=bar`,
  })),
  'oidcc-rp-initiated-logout-bad-id-token-hint': staysOnPage(async (user) => ({
    ...usual(user),
    id_token_hint: await signedByOther(user),
  })),
})
