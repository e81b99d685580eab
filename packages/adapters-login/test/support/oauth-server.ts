// An OAuth 2.0 server on loopback in the manner of GitHub's: a user endpoint, verified addresses, errors with the status 200.
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type TlsServer, startTlsServer } from './tls-server.js'

export const clientSecret = 'a secret of the OAuth server'

type Answers = {
  /** What the user endpoint answers; undefined for a status 404. */
  readonly user?: unknown
  readonly emails?: unknown
  /** RFC 9207 §2: the iss of its authorization responses, made of its origin. */
  readonly issOf?: ((origin: string) => string) | undefined
  readonly isPlain?: boolean
}

const octocat = { id: 583231, login: 'octocat', name: 'Octo Cat', email: 'public@example.com', avatar_url: null }

export const verifiedAddress = { email: 'octocat@example.com', primary: true, verified: true }

type Issued = { readonly challenge: string; readonly redirectUri: string }

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

const tokenFor = (form: URLSearchParams, issued: Map<string, Issued>): object => {
  const code = form.get('code') ?? ''
  const known = issued.get(code)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (form.get('client_id') !== 'clientele' || form.get('client_secret') !== clientSecret)
    return { error: 'incorrect_client_credentials', error_description: 'The client_id is incorrect.' }
  issued.delete(code)
  return known?.challenge === challenge && known.redirectUri === form.get('redirect_uri')
    ? { access_token: 'gho_token', token_type: 'bearer', scope: 'user:email' }
    : { error: 'bad_verification_code', error_description: 'The code passed is incorrect.' }
}

const authorize = (url: URL, issued: Map<string, Issued>, iss: string | undefined): string => {
  const parameter = (name: string): string => url.searchParams.get(name) ?? ''
  if (parameter('code_challenge_method') !== 'S256') throw new Error('no PKCE')
  const code = randomUUID()
  issued.set(code, { challenge: parameter('code_challenge'), redirectUri: parameter('redirect_uri') })
  const back = new URL(parameter('redirect_uri'))
  back.searchParams.set('code', code)
  back.searchParams.set('state', parameter('state'))
  if (iss !== undefined) back.searchParams.set('iss', iss)
  return back.href
}

export const startOAuthServer = (given: Answers = {}, port = 0): Promise<TlsServer> =>
  startTlsServer(
    (origin) => {
      const issued = new Map<string, Issued>()
      const { user, emails }: Answers = { user: octocat, emails: [verifiedAddress], ...given }
      const resources = new Map([
        ['/user', user],
        ['/user/emails', emails],
      ])
      const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const url = new URL(request.url ?? '', origin)
        const resource = resources.get(url.pathname)
        if (url.pathname === '/authorize')
          response.writeHead(302, { Location: authorize(url, issued, given.issOf?.(origin)) }).end()
        else if (url.pathname === '/token' && request.headers.accept === 'application/json')
          json(response, tokenFor(new URLSearchParams(await text(request)), issued))
        else if (request.headers.authorization === 'Bearer gho_token' && resource !== undefined)
          json(response, resource)
        else json(response, { message: 'Not Found' }, 404)
      }
      return (request, response) => void answer(request, response)
    },
    port,
    given.isPlain,
  )

/** The endpoints of the server, as the settings have them. */
export const endpointsAt = (origin: string) => ({
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  user_endpoint: `${origin}/user`,
  emails_endpoint: `${origin}/user/emails`,
  subject_member: 'id',
  claim_members: { name: 'name', preferred_username: 'login', picture: 'avatar_url' },
})
