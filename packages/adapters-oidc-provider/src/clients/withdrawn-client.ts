// The answers to a client that is suspended or gone: docs/life-cycle.md.
import { type Withdrawn, answerAt, withdrawnTexts } from '@clientele/domain'
import { errors } from 'oidc-provider'
import { presentRequest } from '../context.js'

const doorOf: Readonly<Record<string, 'authorize' | 'token'>> = {
  authorization: 'authorize',
  resume: 'authorize',
  pushed_authorization_request: 'token',
  token: 'token',
  introspection: 'token',
  revocation: 'token',
}

/** RFC 6749 §5.2 and §4.1.2.1, with the remedy: applications register anew where the code is invalid_client. */
class WithdrawnClient extends errors.OIDCProviderError {
  constructor(state: Withdrawn, door: 'authorize' | 'token') {
    super(answerAt(door, state) === 'invalid_client' ? 401 : 400, 'invalid_client')
    this.error_description = withdrawnTexts[state]
    this.error_detail = `the client is ${state}`
  }
}

/** Throws at a door that says so; elsewhere there is no such client. */
export const refuseWithdrawn = (state: Withdrawn): undefined => {
  const oidc = presentRequest()?.oidc
  const door = doorOf[oidc?.route ?? '']
  if (oidc === undefined || door === undefined) return undefined
  // The engine looks for the client again where a request to redirect the answer has none yet.
  Object.assign(oidc, { noclient: true })
  throw new WithdrawnClient(state, door)
}
