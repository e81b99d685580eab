// The requests to all subjects.
import { generateKeyPairSync, sign } from 'node:crypto'

export const json = { 'content-type': 'application/json' }

/** The metadata of a client; `number` distinguishes it. */
export const metadata = (number) => ({
  redirect_uris: [`https://rp${number}.example/callback`, `https://rp${number}.example/silent`],
  post_logout_redirect_uris: [`https://rp${number}.example/signed-out`],
  client_name: `Bench ${number}`,
  client_uri: `https://rp${number}.example/`,
  contacts: [`ops@rp${number}.example`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
})

// All subjects have the same key, so that one function makes ID tokens for all.
const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const benchKey = { ...keyPair.privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const idToken = (iss, aud, kid) => {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', kid })}.${part({ iss, sub: 'alice', aud, iat: now, exp: now + 3600 })}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), keyPair.privateKey).toString('base64url')}`
}

/** One request, whose response must be successful. */
export const ask = async (url, options) => {
  const answer = await fetch(url, { redirect: 'manual', ...options })
  if (!answer.ok)
    throw new Error(`${options?.method ?? 'GET'} ${url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

export const register = async ({ base, endpoint }, number = 0) => {
  const body = JSON.stringify(metadata(number))
  return (await ask(base + endpoint, { method: 'POST', headers: json, body })).json()
}
