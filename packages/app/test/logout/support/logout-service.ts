// The built service with a signing key that the test also has, so that the test can issue ID tokens like a provider
// beside it.
import { type JWK, SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose'
import { type Service, discard, startService } from '../../support/composed-service.js'

export type Claims = Readonly<Record<string, unknown>>
export type Json = Readonly<Record<string, unknown>>

export type Client = { readonly client_id: string; readonly token: string }
export type Session = { readonly sid: string; readonly cookie: string }

export type LogoutService = Service & {
  readonly kid: string
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Response>
  readonly register: (metadata: Json) => Promise<Client>
  readonly startSession: (sub: string, more?: Json) => Promise<Session>
  readonly join: (session: Session, client: Client, names?: Json) => Promise<void>
  readonly sessionsOf: (sub: string) => Promise<ReadonlyArray<string>>
  /** An ID token for the client, valid for an hour; given claims and header parameters replace the defaults. */
  readonly idToken: (client: Client, claims?: Claims, header?: Json) => Promise<string>
  readonly logLines: () => ReadonlyArray<Json>
  readonly end: () => Promise<void>
}

export const backUri = 'https://rp.example/signed-out'

const objectOf = (value: unknown): Json => Object.fromEntries(Object.entries(value ?? {}))
const textOf = (json: Json, name: string): string => String(json[name])

const signingJwk = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
}

const importSigningKey = async (ask: LogoutService['ask'], jwk: JWK): Promise<string> => {
  const imported = await ask('POST', '/keys/import', { keys: [jwk] })
  if (imported.status !== 200) throw new Error(await imported.text())
  const { keys } = objectOf(await imported.json())
  const found = Array.isArray(keys)
    ? keys.map(objectOf).find((key) => key['phase'] === 'signing' && key['use'] === 'sig')
    : undefined
  return textOf(found ?? {}, 'kid')
}

const asking =
  ({ base, master }: Service): LogoutService['ask'] =>
  (method, path, body) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${master}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

const answered = async (response: Response): Promise<Json> => {
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`)
  return objectOf(await response.json())
}

export const startLogoutService = async (
  settings: Readonly<Record<string, string>> = {},
  dataDir?: string,
): Promise<LogoutService> => {
  const service = await startService(settings, dataDir)
  const ask = asking(service)
  const jwk = await signingJwk()
  const kid = await importSigningKey(ask, jwk)
  const key = await importJWK(jwk, 'RS256')
  const now = () => Math.floor(Date.now() / 1000)
  return {
    ...service,
    kid,
    ask,
    register: async (metadata) => {
      const client = await answered(
        await ask('POST', '/clients', {
          redirect_uris: ['https://rp.example/callback'],
          post_logout_redirect_uris: [backUri],
          ...metadata,
        }),
      )
      return { client_id: textOf(client, 'client_id'), token: textOf(client, 'registration_access_token') }
    },
    startSession: async (sub, more = {}) => {
      const session = await answered(await ask('POST', '/sessions', { sub, ...more }))
      const { name, value } = objectOf(session['cookie'])
      return { sid: textOf(session, 'sid'), cookie: `${String(name)}=${String(value)}` }
    },
    join: async ({ sid }, { client_id }, names = {}) => {
      await answered(await ask('POST', `/sessions/${sid}/clients`, { client_id, ...names }))
    },
    sessionsOf: async (sub) => {
      const { sessions } = await answered(await ask('GET', `/sessions?sub=${encodeURIComponent(sub)}`))
      return Array.isArray(sessions) ? sessions.map((each) => textOf(objectOf(each), 'sid')) : []
    },
    idToken: ({ client_id }, claims = {}, header = {}) =>
      new SignJWT({ iss: service.base, sub: 'alice', aud: client_id, iat: now(), exp: now() + 3600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, ...header })
        .sign(key),
    logLines: () =>
      service
        .output()
        .stderr.split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => objectOf(JSON.parse(line))),
    end: async () => {
      await service.stop()
      discard(service.dataDir)
    },
  }
}
