// The consents of the end-user who is signed in, each with the value that removes it.
import { type Unavailable, type UnknownSession, jsonInOrder } from '@clientele/domain/kernel'
import { type EndUserSession, shownApplication } from '@clientele/domain/logout'
import { type ConsentOfClient, type ListedConsents, listConsents } from '@clientele/domain/operations'
import { type Consent, shownEndUser } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { cookieNames, hashedCookie } from '../http/cookies.js'
import type { HttpRequest } from '../http/request.js'
import type { Language } from '../pages/messages/languages.js'
import type { ShownPage } from '../pages/page.js'
import type { HttpSettings } from '../settings.js'
import type { SignInPorts } from '../ports.js'

export const consentsAddress = ({ basePath }: HttpSettings): string => `${basePath}/consents`

/** Of the form of one consent in the pages of one session. */
export const consentValue = (
  { hashToken }: SignInPorts,
  { sid }: EndUserSession,
  { client, given_at }: Consent,
): string => hashToken(`form ${jsonInOrder({ page: 'consents', sid, registration: client.registration_id, given_at })}`)

export const readConsents = (settings: HttpSettings, ports: SignInPorts) => {
  const list = listConsents(ports)
  const { session } = cookieNames(settings.registration.issuer)
  const hashOf = hashedCookie(ports)
  return (request: HttpRequest): Promise<E.Either<UnknownSession | Unavailable, ListedConsents>> =>
    list(hashOf(request, session))()
}

export const consentsPage =
  (settings: HttpSettings, ports: SignInPorts, language: Language) =>
  async ({ session, consents }: ListedConsents, revoked: boolean): Promise<ShownPage> => {
    const claims = await ports.findEndUserClaims(session.sub)()
    const shown = ({ consent, client }: ConsentOfClient) => ({
      application: shownApplication(language)(client, client.metadata.redirect_uris?.[0] ?? ''),
      scope: consent.scope,
      given_at: consent.given_at,
      value: consentValue(ports, session, consent),
    })
    return {
      kind: 'consents',
      user: shownEndUser(session.sub, E.isRight(claims) ? O.toUndefined(claims.right) : undefined),
      action: consentsAddress(settings),
      consents: consents.map(shown),
      revoked,
    }
  }
