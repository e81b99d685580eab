// ID tokens of the engine: RFC 7519, OpenID Core §2.
import * as E from 'fp-ts/lib/Either.js'
import { type Provider, errors } from 'oidc-provider'
import { allStored } from './artefacts/storing.js'
import { registrationOf } from './clients/find-client.js'
import { presentRequest } from './context.js'
import { performed } from './errors.js'
import type { EnginePorts } from './ports.js'
import { type SessionsPorts, sidOfUid } from './sessions/session-of.js'

type IdToken = InstanceType<Provider['IdToken']>
type Issuing = Parameters<IdToken['issue']>[0]

export type IdTokenPorts = SessionsPorts & Pick<EnginePorts, 'readyToSign' | 'readHint'>

const presentUid = (): string | undefined => {
  const oidc = presentRequest()?.oidc
  if (oidc === undefined) return undefined
  const { AuthorizationCode: code, RefreshToken: refreshToken } = oidc.entities
  return [oidc.session?.uid, code?.sessionUid, refreshToken?.sessionUid].find((uid) => uid !== undefined)
}

/**
 * OpenID Back-Channel Logout §2: the client is told when the session ends, by the sub and sid of its ID tokens. A token for
 * offline access may be issued when the session is over; no application is notified then.
 */
const recordClient = async (ports: IdTokenPorts, token: IdToken): Promise<void> => {
  const uid = presentUid()
  const ended = await sidOfUid(ports, uid)
  const { sid } = token.extra
  const registration = registrationOf(token.client)
  if (ended === undefined || registration === undefined || typeof sid !== 'string') return
  const { sub } = await token.payload()
  const recorded = await performed(ports.sessions.recordClient(ended, { ...registration, sub: String(sub), sid }))
  if (E.isRight(recorded)) return
  if (recorded.left.error === 'session_full')
    throw new errors.AccessDenied('the end-user session has too many applications: sign out first')
}

/** Signs by the present keys, and reads hints by every published one. */
export const replaceIdTokens = ({ IdToken }: Pick<Provider, 'IdToken'>, ports: IdTokenPorts): void => {
  const issue: unknown = Reflect.get(IdToken.prototype, 'issue')
  if (typeof issue !== 'function') throw new Error('the engine issues ID tokens in another way')
  Object.assign(IdToken.prototype, {
    async issue(this: IdToken, issuing: Issuing): Promise<string> {
      await ports.readyToSign()
      // OpenID Core §12.2: after a refresh, the nonce of the authorization request is left out.
      if (presentRequest()?.oidc.params?.['grant_type'] === 'refresh_token') this.set('nonce', undefined)
      if (issuing.use === 'idtoken') await recordClient(ports, this)
      const issued = Reflect.apply(issue as (issuing: Issuing) => Promise<string>, this, [issuing])
      const [token] = await Promise.all([issued, allStored()])
      return token
    },
  })
  Object.assign(IdToken, {
    validate: async (hint: string, client: IdToken['client']) => {
      const read = await ports.readHint(hint, client.clientSecret)()
      const { aud } = read?.claims ?? {}
      if (read === undefined || !(Array.isArray(aud) ? aud : [aud]).includes(client.clientId))
        throw new errors.InvalidRequest('could not validate id_token_hint')
      return { header: {}, payload: { ...read.claims } }
    },
  })
}
