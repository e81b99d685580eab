// The facts that a service with these settings would find for the request; none of them is read from outside.
import { type InitialAccessToken, type RegistrationScope, TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId, isReadMember } from '@clientele/domain/client'
import { epochSeconds, parseWellFormedJson, secondsAfter } from '@clientele/domain/kernel'
import { type RegistrationFacts, type RegistrationSettings, defaultRegistration } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import type { ServedSettings } from './served-settings.js'
import { type State, openScopeOf } from './state.js'

const baseUrl = 'https://op.example'
const secretLength = 43

const made = <A>(text: string, is: (value: unknown) => value is A): A => {
  if (!is(text)) throw new Error(`${text} is of another form`)
  return text
}

const hash = made('hash-of-the-token', TokenHash.is)

const issued: RegistrationFacts['issued'] = {
  at: epochSeconds(0),
  client_id: made('fresh-client-id', ClientId.is),
  registration_id: made('fresh-registration-id--', RegistrationId.is),
  client_secret: 's'.repeat(secretLength),
  client_secret_padding: '',
  registration_access_token: { token: 'fresh token', hash },
}

/** The form determines who may register; settings that the service does not publish have their defaults. */
export const settingsOf = (
  state: State,
  { policy, outboundFetches, isOnLoopback = false, lenient = state.mode === 'open' }: ServedSettings,
): RegistrationSettings => ({
  policy,
  outboundFetches,
  isOnLoopback,
  lenient,
  mode: state.mode === 'open' ? { kind: 'open', scope: openScopeOf(state) } : { kind: 'managed' },
  issuer: baseUrl,
  registrationEndpoint: `${baseUrl}/clients`,
  ...defaultRegistration,
})

const tokenOf = (given: RegistrationScope): InitialAccessToken => ({
  ...given,
  hash,
  expires_at: secondsAfter(issued.at, defaultRegistration.initialAccessTokenLifetime),
})

/** The request, with a token of this scope or without a token. A lenient service reads no number that it drops. */
export const factsOf = (
  { lenient = false }: RegistrationSettings,
  body: string,
  scope: O.Option<RegistrationScope>,
): RegistrationFacts => ({
  body: parseWellFormedJson(body, lenient ? isReadMember : undefined),
  issued,
  credential: O.isSome(scope) ? { kind: 'token', hash } : { kind: 'none' },
  token: O.map(tokenOf)(scope),
  statement: O.none,
})
