// A page that signs end-users in for Clientele with `login` = `callback`: docs/use/sign-in.md#who-signs-end-users-in. Put your own login in `endUserOf`.
import { createServer } from 'node:http'
import { SignJWT, createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER = 'http://127.0.0.1:8080', PAGE = 'http://127.0.0.1:3000/login', LOGIN_PAGE_SECRET = '' } = process.env
const keys = createRemoteJWKSet(new URL(`${ISSUER}/jwks.json`))
const secret = Buffer.from(LOGIN_PAGE_SECRET)

/** The end-user of your session cookie, or of your form; undefined where no end-user is signed in. */
const endUserOf = async (/** @type {import('node:http').IncomingMessage} */ request) =>
  request.headers['x-nobody'] === undefined ? { sub: 'alice', name: 'Alice', amr: ['pwd'] } : undefined

const server = createServer(async (request, response) => {
  try {
    const token = new URL(request.url ?? '', PAGE).searchParams.get('request') ?? ''
    const expected = { issuer: ISSUER, audience: PAGE, typ: 'login-request+jwt', requiredClaims: ['jti', 'exp'] }
    const { payload } = await jwtVerify(token, keys, expected)
    const back = new URL(String(payload['redirect_uri']))
    const endUser = await endUserOf(request)
    if (endUser === undefined) back.searchParams.set('error', 'access_denied')
    else {
      const answer = new SignJWT({ ...endUser, nonce: payload.jti })
        .setProtectedHeader({ alg: 'HS256', typ: 'login-response+jwt' })
        .setIssuer(PAGE)
        .setAudience(ISSUER)
        .setIssuedAt()
        .setExpirationTime('1 minute')
      back.searchParams.set('response', await answer.sign(secret))
    }
    response.writeHead(303, { Location: back.href }).end()
  } catch {
    response.writeHead(400).end('This page is for sign-ins that began at the provider.\n')
  }
})
server.listen(Number(new URL(PAGE).port), '127.0.0.1', () => console.log(`login page at ${PAGE}`))
