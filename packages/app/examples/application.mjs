// An application that signs its users in at Clientele: it registers itself, and has a link to sign in and one to sign out.
//   node packages/app/examples/application.mjs
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const { ISSUER = 'http://127.0.0.1:8080', PORT = '3000', TOKEN_FILE = 'data/master-token' } = process.env
const origin = `http://127.0.0.1:${PORT}`
const callback = `${origin}/callback`

const registered = await fetch(`${ISSUER}/clients`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    client_name: 'Example application',
    redirect_uris: [callback],
    post_logout_redirect_uris: [`${origin}/`],
    scope: 'openid profile email',
  }),
})
if (!registered.ok) throw new Error(`the registration was refused: ${await registered.text()}`)
const { client_id, client_secret } = await registered.json()
const provider = await oidc.discovery(new URL(ISSUER), client_id, client_secret, undefined, {
  execute: [oidc.allowInsecureRequests],
})

// One user at a time is enough for an example: a real application stores these in a session of each browser.
const session = { verifier: '', state: '', name: '', idToken: '' }

const signIn = async () => {
  session.verifier = oidc.randomPKCECodeVerifier()
  session.state = oidc.randomState()
  return oidc.buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    scope: 'openid profile email',
    state: session.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(session.verifier),
    code_challenge_method: 'S256',
  })
}

const complete = async (/** @type {URL} */ url) => {
  const checks = { pkceCodeVerifier: session.verifier, expectedState: session.state }
  const tokens = await oidc.authorizationCodeGrant(provider, url, checks)
  const claims = await oidc.fetchUserInfo(provider, tokens.access_token, tokens.claims()?.sub ?? '')
  Object.assign(session, { name: claims.name ?? claims.sub, idToken: tokens.id_token ?? '' })
  return new URL(origin)
}

const signOut = () => {
  const hint = { id_token_hint: session.idToken, post_logout_redirect_uri: `${origin}/` }
  Object.assign(session, { name: '', idToken: '' })
  return oidc.buildEndSessionUrl(provider, hint)
}

const escaped = (/** @type {string} */ text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = () =>
  session.name === ''
    ? '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>'
    : `<p>Signed in as <b>${escaped(session.name)}</b>.</p><a href="/sign-out">Sign out</a>`

const steps = { '/sign-in': signIn, '/callback': complete, '/sign-out': signOut }

createServer(async (request, response) => {
  try {
    const url = new URL(request.url ?? '/', origin)
    const [, step] = Object.entries(steps).find(([path]) => path === url.pathname) ?? []
    if (step !== undefined) response.writeHead(303, { Location: (await step(url)).href }).end()
    else response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Example</title>${page()}`)
  } catch (cause) {
    response.writeHead(400).end(`The sign-in failed: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`example application at ${origin}`))
