// better-auth with its OAuth provider: registrations by a signed-in end-user, at both of its endpoints. An update takes
// a part of the members alone, and is not compared.
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { jwt } from 'better-auth/plugins/jwt'
import { answerOf, json } from './answer.mjs'

const { Request } = globalThis
const baseURL = 'https://op.example'

// One endpoint describes its faults in one line.
const faultsIn = ({ message = '' }) => Math.max(1, message.split('[body.').length - 1)

const provider = oauthProvider({
  loginPage: '/login',
  consentPage: '/consent',
  allowDynamicClientRegistration: true,
  allowUnauthenticatedClientRegistration: true,
  silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
  pairwiseSecret: 'pairwise'.padEnd(32, '_'),
})

export const start = async () => {
  const tables = ['user', 'session', 'account', 'verification', 'jwks', 'oauthClient', 'oauthResource']
  const database = Object.fromEntries(
    [...tables, 'oauthClientResource', 'oauthClientAssertion'].map((name) => [name, []]),
  )
  const auth = betterAuth({
    baseURL,
    secret: 'secret-of-the-comparison'.padEnd(48, '_'),
    database: memoryAdapter(database),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [jwt(), provider],
  })
  const send = (path, body, headers = {}) =>
    auth.handler(
      new Request(`${baseURL}/api/auth${path}`, {
        method: 'POST',
        headers: { ...json, origin: baseURL, ...headers },
        body: JSON.stringify(body),
      }),
    )
  const account = { email: 'user@rp.example', password: 'password-of-the-user', name: 'User' }
  const signedUp = await send('/sign-up/email', account)
  if (!signedUp.ok) throw new Error(`no end-user: ${await signedUp.text()}`)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  // A search in memory reads all clients.
  const forgetClients = () => void database.oauthClient.splice(0)
  const door = (name, path) => ({
    name,
    answer: async (body) => {
      const answer = await answerOf(await send(path, body, { cookie }))
      forgetClients()
      return answer
    },
  })
  return {
    doors: [door('POST', '/oauth2/register'), door('POST of an end-user', '/oauth2/create-client')],
    faultsIn,
    stop: async () => undefined,
  }
}
