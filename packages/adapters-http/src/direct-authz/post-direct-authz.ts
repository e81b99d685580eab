import { issueInitialAccessToken } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import { jsonResponse } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** Issues an initial access token to the master token; answers as RFC 6749 §5.1. */
export const postDirectAuthz = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const issue = issueInitialAccessToken(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(issue({ credential: credentialOf(request), body: request.body }), (token) => jsonResponse(200, token))
}
