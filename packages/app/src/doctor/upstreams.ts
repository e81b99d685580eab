// The login at the providers of the settings, as clientele doctor asks them.
import type { UpstreamLogin } from '@clientele/adapters-login'
import { type Unavailable, epochSeconds } from '@clientele/domain/kernel'
import { type LoginRefused, loginCallback } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { baseUrlAt } from '../config/listening.js'
import { type Upstream, chosenLogin } from '../config/login.js'
import type { Config } from '../config/settings.js'
import { upstreamLogins } from '../engine/login.js'
import { type Finding, type Findings, fault, ok, warning } from './findings.js'

const reasonOf = (failure: LoginRefused | Unavailable): string =>
  failure.error === 'unavailable' ? String(failure.detail) : failure.reason

/** The settings of a provider as the findings name them. */
const namesOf = ({ id }: Upstream) =>
  id === undefined
    ? {
        issuer: 'upstream-issuer',
        client: 'upstream-client-id',
        credentials: 'upstream-client-id, upstream-client-secret or upstream-client-authentication',
        required: 'upstream-required-claims',
      }
    : {
        issuer: `issuer of ${id} in upstreams`,
        client: `client_id of ${id} in upstreams`,
        credentials: `client_id, client_secret_file or client_authentication of ${id} in upstreams`,
        required: `required_claims of ${id} in upstreams`,
      }

const credentialFinding = (upstream: Upstream, known: E.Either<LoginRefused | Unavailable, void>): Finding => {
  const { issuer, id, plain } = upstream
  const names = namesOf(upstream)
  if (E.isRight(known)) return ok('login', `${issuer} takes the credentials of ${names.client}`)
  const reason = reasonOf(known.left)
  if (known.left.error === 'unavailable')
    return fault(
      'login',
      `${issuer} cannot be reached: ${reason}`,
      plain === undefined
        ? 'Start that provider'
        : `Start that provider, or correct token_endpoint of ${id} in upstreams`,
    )
  return known.left.because === 'misconfigured'
    ? fault('login', `${issuer} does not take the credentials: ${reason}`, `Correct ${names.credentials}`)
    : warning(
        'login',
        `It could not be told whether ${issuer} takes the credentials of ${names.client}: ${reason}`,
        'Sign in with that provider once: if that fails, the log says why',
      )
}

// A token request with a code that nobody issued tells whether the provider knows the client.
const findingsOf = async (upstream: Upstream, login: UpstreamLogin, base: string): Promise<Findings> => {
  const { issuer, required, plain } = upstream
  const names = namesOf(upstream)
  const described = await login.check()
  if (E.isLeft(described))
    return [
      fault(
        'login',
        `${issuer} cannot be used: ${reasonOf(described.left)}`,
        `Correct ${names.issuer}, which its metadata must name exactly, or start that provider`,
      ),
    ]
  const known = await login.checkCredentials(loginCallback(base, upstream.id))()
  return [
    ...(plain === undefined ? [ok('login', `${issuer} answers with its metadata`)] : []),
    credentialFinding(upstream, known),
    required.length === 0
      ? ok('login', `Every end-user of ${issuer} may sign in; ${names.required} restricts them`)
      : ok(
          'login',
          `Who signs in must have the claims that ${names.required} demands: ${required.map(({ claim }) => claim).join(', ')}`,
        ),
  ]
}

/** Of all providers, which are asked at once, in their order. */
export const upstreamFindings = async (config: Config): Promise<Findings> => {
  if (chosenLogin(config) !== 'upstream') return []
  const logins = upstreamLogins({ config, outbound: undefined, now: () => epochSeconds(Date.now()) })
  const base = baseUrlAt(config)
  return (await Promise.all(logins.map(({ upstream, login }) => findingsOf(upstream, login, base)))).flat()
}
