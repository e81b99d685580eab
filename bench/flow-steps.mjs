// The steps of flows of the authorization server, over connections that are used again. Any other answer than the expected
// one fails.
import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import { URLSearchParams } from 'node:url'

/** By kind of flow, what makes the step of a browser; `settings` is what `signedInBrowsers` returns. */
export const stepsOf = ({ base, authorize, token, client_id, client_secret, redirect_uri, scope }) => {
  const { hostname, port } = new URL(base)

  // By the global agent of Node.
  const send = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const request = http.request({ hostname, port, method, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
      })
      request.on('error', reject)
      request.end(body)
    })

  const tokenHeaders = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
  }

  const redeem = async (parameters) => {
    const body = new URLSearchParams(parameters).toString()
    const { status, text } = await send('POST', token, { ...tokenHeaders, 'content-length': body.length }, body)
    if (status !== 200) throw new Error(`${token} answered ${status}: ${text}`)
    const { id_token, refresh_token } = JSON.parse(text)
    if (id_token === undefined || refresh_token === undefined) throw new Error(`${token} answered without tokens`)
    return refresh_token
  }

  // RFC 6749 §4.1, RFC 7636
  const codeAndTokens = async (cookie) => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id,
      redirect_uri,
      scope,
      response_type: 'code',
      state: verifier.slice(0, 8),
      nonce: verifier.slice(8, 16),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const { status, headers, text } = await send('GET', `${authorize}?${query}`, { cookie })
    const code = URL.canParse(headers.location) ? new URL(headers.location).searchParams.get('code') : null
    if (code === null) throw new Error(`${authorize} answered ${status} without a code: ${headers.location} ${text}`)
    return redeem({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier })
  }

  return {
    code: (cookie) => () => codeAndTokens(cookie),
    refresh: async (cookie) => {
      let refresh_token = await codeAndTokens(cookie)
      return async () => {
        refresh_token = await redeem({ grant_type: 'refresh_token', refresh_token })
      }
    },
  }
}
