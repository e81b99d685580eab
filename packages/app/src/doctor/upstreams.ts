// The login at the providers of the settings, as clientele doctor asks them.
import type { UpstreamLogin } from '@clientele/adapters-login'
import { type Unavailable, epochSeconds } from '@clientele/domain/kernel'
import type { LoginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { type Upstream, chosenLogin } from '../config/login.js'
import type { Config } from '../config/settings.js'
import { upstreamLogins } from '../engine/login.js'
import { type Findings, fault, ok } from './findings.js'

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

// A token request with a code that nobody issued tells whether the provider knows the client.
const findingsOf = async (upstream: Upstream, login: UpstreamLogin): Promise<Findings> => {
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
  const known = await login.checkCredentials()
  return [
    ...(plain === undefined ? [ok('login', `${issuer} answers with its metadata`)] : []),
    E.isRight(known)
      ? ok('login', `${issuer} takes the credentials of ${names.client}`)
      : fault(
          'login',
          `${issuer} does not take the credentials: ${reasonOf(known.left)}`,
          `Correct ${names.credentials}`,
        ),
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
  return (await Promise.all(logins.map(({ upstream, login }) => findingsOf(upstream, login)))).flat()
}
