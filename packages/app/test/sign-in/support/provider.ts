// The built service with its authorization server, as a process, with two accounts for development.
import * as openid from 'openid-client'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { run } from '../../cli/run.js'
import { register, send } from '../../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../../support/service.js'
import { type Account, type EndUser, openEndUser } from './end-user.js'

export const callback = 'https://rp.example/callback'
export const signedOut = 'https://rp.example/signed-out'

export type Json = Readonly<Record<string, unknown>>

/** A registration as its client keeps it. */
export type Registered = Json & { readonly client_id: string }

export type Provider = {
  readonly service: Service
  readonly developer: Account
  readonly other: Account
  /** A new browser of the account. */
  readonly endUser: (account?: Account, ...sites: ReadonlyArray<string>) => EndUser
  /** As a resource server, which is a client of its own. */
  readonly introspect: (token: unknown) => Promise<openid.IntrospectionResponse>
  readonly isActive: (token: unknown) => Promise<boolean>
  readonly stop: () => Promise<void>
}

const other: Account = { username: 'ada', password: 'of ada alone' }

const resourceServerId = 'the-resource-server'

export const engine = {
  CLIENTELE_ENGINE: 'oidc-provider',
  CLIENTELE_REGISTRATION_STATUS: '201',
  CLIENTELE_INTROSPECTION_CLIENTS: resourceServerId,
}

/** The first account for development. */
export const developerIn = (dataDir: string): Account => ({
  username: 'developer',
  password: readFileSync(join(dataDir, 'accounts-first-password'), 'utf8').trim(),
})

export const insecure = { execute: [openid.allowInsecureRequests] }

// After a restart, it is registered already, and gets new credentials.
const resourceServer = async (service: Service): Promise<openid.Configuration> => {
  const first = await register(service, {
    preferred_client_id: resourceServerId,
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
  })
  const renewal = `/clients/${resourceServerId}/renewal`
  const { json } =
    first.status === 201 ? first : await send(service, renewal, { method: 'POST', token: service.master })
  return openid.discovery(
    new URL(service.base),
    String(json['client_id']),
    String(json['client_secret']),
    undefined,
    insecure,
  )
}

/** `whenReached` waits until the service is reached at its base URL, where a proxy stands before it. */
export const startProvider = async (
  settings: Readonly<Record<string, string>> = {},
  dataDir = newDataDir(),
  whenReached: () => Promise<void> = () => Promise.resolve(),
): Promise<Provider> => {
  const isNew = !existsSync(join(dataDir, 'accounts.json'))
  const service = await startService({ ...engine, ...settings }, dataDir)
  await whenReached()
  const developer = developerIn(dataDir)
  if (isNew) {
    const added = await run(['users', 'add', other.username, `--data-dir=${dataDir}`], {}, other.password)
    assert.is(added.status, 0, added.errors)
  }
  const asResource = await resourceServer(service)
  const introspect: Provider['introspect'] = (token) => {
    assert.type(token, 'string')
    return openid.tokenIntrospection(asResource, String(token))
  }
  return {
    service,
    developer,
    other,
    endUser: (account = developer, ...sites) => openEndUser(account, service.base, ...sites),
    introspect,
    isActive: async (token) => (await introspect(token)).active,
    stop: async () => {
      await service.stop()
      assert.not.match(service.output().stderr, /"status":5\d\d/)
      discard(dataDir)
    },
  }
}

/** A refresh token is shown to its client only, which authenticates for that: RFC 7662 §2.1. */
const isOwnActive = async (
  { service, isActive }: Provider,
  { client_id, client_secret }: Json,
  token: unknown,
): Promise<boolean> => {
  if (typeof client_secret !== 'string') return isActive(token)
  const own = await openid.discovery(new URL(service.base), String(client_id), client_secret, undefined, insecure)
  return (await openid.tokenIntrospection(own, String(token))).active
}

/** Removes the registration by its own token, and registers the client_id again: no token revives. */
export const endRegistration = async (
  provider: Provider,
  registered: Registered,
  metadata: Json,
  issued: { readonly accessToken?: unknown; readonly refreshToken: unknown },
): Promise<void> => {
  const { service, isActive } = provider
  const tokens = [
    ...('accessToken' in issued ? [issued.accessToken] : []),
    ...(typeof registered['client_secret'] === 'string' ? [issued.refreshToken] : []),
  ]
  for (const each of tokens) assert.ok(await isOwnActive(provider, registered, each), 'a token is live before')
  const path = String(registered['registration_client_uri'])
  const token = String(registered['registration_access_token'])
  assert.is((await send(service, path, { method: 'DELETE', token })).status, 204)
  for (const each of tokens) assert.not.ok(await isActive(each), 'a token outlives its client')
  const again = await register(service, { ...metadata, preferred_client_id: registered.client_id })
  assert.equal([again.status, again.json['client_id']], [201, registered.client_id], again.text)
  for (const each of tokens)
    assert.not.ok(await isOwnActive(provider, again.json, each), 'a token revives with the client_id')
}
