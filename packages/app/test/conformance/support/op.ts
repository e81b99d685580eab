// The OpenID provider under test: the service as a process, with an end-user whose claims are all that scopes ask for.
import * as assert from 'uvu/assert'
import { run } from '../../cli/run.js'
import { send } from '../../support/requests.js'
import type { Account, EndUser } from '../../sign-in/support/end-user.js'
import { type Json, type Provider, startProvider } from '../../sign-in/support/provider.js'
import { type Client, type Keys, basicClient, newKeys, privateKeyClient } from './clients.js'

export type Op = {
  readonly provider: Provider
  readonly base: string
  readonly metadata: Json
  /** That every request of the plan names. */
  readonly responseMode: 'form_post' | undefined
  /** A new browser, without a session. */
  readonly browser: () => EndUser
  /** Registers a client with the authentication of the plan. */
  readonly client: (metadata?: Json) => Promise<Client>
}

/** OpenID Core §5.4 */
export const claimsByScope = {
  profile: {
    name: 'Jane Doe',
    family_name: 'Doe',
    given_name: 'Jane',
    middle_name: 'M.',
    nickname: 'JD',
    preferred_username: 'jane',
    profile: 'https://jane.example/',
    picture: 'https://jane.example/jane.png',
    website: 'https://jane.example/',
    gender: 'female',
    birthdate: '1990-10-31',
    zoneinfo: 'Europe/Sofia',
    locale: 'en-US',
    updated_at: 1_700_000_000,
  },
  email: { email: 'jane@example.com', email_verified: true },
  address: { address: { formatted: '1 Main Street\nSofia', country: 'Bulgaria' } },
  phone: { phone_number: '+359 2 123 4567', phone_number_verified: false },
} as const

const jane: Account = { username: 'jane', password: 'of jane alone' }

const claimText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const addJane = async (dataDir: string): Promise<void> => {
  const claims = Object.values(claimsByScope).flatMap((each) => Object.entries(each))
  const flags = claims.flatMap(([name, value]) => ['--claim', `${name}=${claimText(value)}`])
  const added = await run(['users', 'add', jane.username, `--data-dir=${dataDir}`, ...flags], {}, jane.password)
  assert.is(added.status, 0, added.errors)
}

type Authentication = 'client_secret_basic' | 'private_key_jwt'

export const startOp = async (
  authentication: Authentication = 'client_secret_basic',
  settings: Readonly<Record<string, string>> = {},
  responseMode?: 'form_post',
): Promise<Op> => {
  const provider = await startProvider({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true', ...settings })
  const { service } = provider
  await addJane(service.dataDir).catch(async (cause: unknown) => {
    await provider.stop()
    throw cause
  })
  const keys: Keys = await newKeys()
  return {
    provider,
    base: service.base,
    responseMode,
    metadata: (await send(service, '/.well-known/openid-configuration')).json,
    browser: () => provider.endUser(jane),
    client: (metadata = {}) =>
      authentication === 'client_secret_basic'
        ? basicClient(service, metadata)
        : privateKeyClient(service, metadata, () => keys),
  }
}
