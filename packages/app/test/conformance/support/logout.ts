// The steps of the modules about logout: a whole sign-in, then the logout in the same browser, then a silent request.
import * as assert from 'uvu/assert'
import { type Json, signedOut } from '../../sign-in/support/provider.js'
import type { Arrival, EndUser } from '../../sign-in/support/end-user.js'
import type { Client } from './clients.js'
import { type Flow, errorOf, flow } from './flow.js'
import type { Op } from './op.js'

export type SignedIn = {
  readonly op: Op
  readonly client: Client
  readonly browser: EndUser
  readonly flow: Flow
}

// RFC 6749 §A.5: VSCHAR, without + and ;
export const state = 'abcXYZ0189!"#$%&\'()*,-./:<=>?@[\\]^_`{|}~'

export const signedIn = async (op: Op, metadata: Json = {}): Promise<SignedIn> => {
  const client = await op.client(metadata)
  const browser = op.browser()
  return { op, client, browser, flow: await flow(op, client, browser) }
}

export type Parameters = Readonly<Record<string, string>>

/** The parameters of the usual request. */
export const usual = ({ flow: { idToken } }: SignedIn): Parameters => ({
  id_token_hint: idToken.text,
  post_logout_redirect_uri: signedOut,
  state,
})

/** The end-user confirms the logout. */
export const logOut = async ({ op, browser }: SignedIn, parameters: Parameters): Promise<Arrival> => {
  const query = new URLSearchParams(parameters).toString()
  const arrival = await browser.visit(`${String(op.metadata['end_session_endpoint'])}?${query}`)
  assert.equal(arrival.requested, ['logout'])
  return arrival
}

export const isSignedOut = async ({ op, client, browser }: SignedIn): Promise<void> =>
  assert.is(await errorOf(op, client, browser, { prompt: 'none' }), 'login_required')

/** At the URI, with exactly these parameters. */
export const isAt = (url: string | undefined, parameters: ReadonlyArray<[string, string]>): void => {
  const { origin, pathname, searchParams } = new URL(url ?? 'about:blank')
  assert.equal([`${origin}${pathname}`, ...searchParams], [signedOut, ...parameters])
}
