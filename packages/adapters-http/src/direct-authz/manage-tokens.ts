// The initial access tokens that are in force; MASTER alone.
import { listInitialAccessTokens, revokeInitialAccessToken } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import { emptyResponse, jsonResponse } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

const credentials = (settings: HttpSettings, ports: HttpPorts) =>
  presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })

export const getTokens = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const list = listInitialAccessTokens(ports)
  const credentialOf = credentials(settings, ports)
  return (request) => answer(list(credentialOf(request)), (tokens) => jsonResponse(200, tokens))
}

export const deleteToken = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const revoke = revokeInitialAccessToken(ports)
  const credentialOf = credentials(settings, ports)
  return (request) =>
    answer(revoke({ credential: credentialOf(request), id: request.params['id'] ?? '' }), () => emptyResponse(204))
}
