// Initial access tokens, which permit registrations, and operator tokens. A new one is answered as RFC 6749 §5.1 says.
import {
  issueConsoleTicket,
  issueInitialAccessToken,
  issueOperatorToken,
  listInitialAccessTokens,
  listOperatorTokens,
  revokeInitialAccessToken,
  revokeOperatorToken,
} from '@clientele/domain/operations'
import { noContent, okResponse } from '../http/response.js'
import { type Family, answer } from './route.js'

export const issuingRoutes: Family<'service'> = (settings, ports, operated) => {
  const issue = issueInitialAccessToken(settings.registration, ports)
  return [
    operated('POST', '/direct-authz', ['tokens'], ({ body, origin }, operator) =>
      answer(issue({ operator, body, origin }), okResponse),
    ),
  ]
}

/** The tokens in force, of both kinds; operator tokens are also issued here, and links to the console. */
export const tokenRoutes: Family<'service'> = ({ consoleUrl }, ports, operated) => {
  const listInitial = listInitialAccessTokens(ports)
  const revokeInitial = revokeInitialAccessToken(ports)
  const listOfOperators = listOperatorTokens(ports)
  const issueOfOperator = issueOperatorToken(ports)
  const issueTicket = issueConsoleTicket(ports)
  const revokeOfOperator = revokeOperatorToken(ports)
  return [
    operated('GET', '/initial-access-tokens', ['tokens'], (_request, operator) =>
      answer(listInitial(operator), okResponse),
    ),
    operated('DELETE', '/initial-access-tokens/:id', ['tokens'], ({ id, origin }, operator) =>
      answer(revokeInitial({ operator, id, origin }), noContent),
    ),
    operated('GET', '/operator-tokens', ['operators'], (_request, operator) =>
      answer(listOfOperators(operator), okResponse),
    ),
    operated('POST', '/operator-tokens', ['operators'], ({ body, origin }, operator) =>
      answer(issueOfOperator({ operator, body, origin }), okResponse),
    ),
    ...(consoleUrl === undefined
      ? []
      : [
          operated('POST', '/console/links', ['operators'], ({ body, origin }, operator) =>
            answer(issueTicket({ operator, body, origin }), (issued) => okResponse({ ...issued, console: consoleUrl })),
          ),
        ]),
    operated('DELETE', '/operator-tokens/:id', ['operators'], ({ id, origin }, operator) =>
      answer(revokeOfOperator({ operator, id, origin }), noContent),
    ),
  ]
}
