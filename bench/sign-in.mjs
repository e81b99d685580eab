// Browsers in which an end-user is signed in, and has consented to an application, for flows without a page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { URLSearchParams } from 'node:url'
import { ask, metadata } from './requests.mjs'

const [redirectUri] = metadata(0).redirect_uris
const maxSteps = 12

/** The endpoints, as the metadata document names them, and the client. */
const flowOf = async ({ base }, { client_id, client_secret }) => {
  const document = await (await ask(`${base}/.well-known/openid-configuration`)).json()
  return {
    authorize: new URL(document.authorization_endpoint).pathname,
    token: new URL(document.token_endpoint).pathname,
    client_id,
    client_secret,
    redirect_uri: redirectUri,
    scope: 'openid',
  }
}

const newJar = () => {
  const cookies = new Map()
  return {
    take: (fields) => {
      for (const field of fields) {
        const [, name, value, path = '/'] = /^([^=]+)=([^;]*)(?:.*?path=([^;]*))?/is.exec(field)
        if (/expires=Thu, 01 Jan 1970/i.test(field)) cookies.delete(`${path} ${name}`)
        else cookies.set(`${path} ${name}`, { name, value, path })
      }
    },
    fieldFor: (path) =>
      [...cookies.values()]
        .filter((cookie) => path.startsWith(cookie.path))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

// The fields of the form are without entities, and its buttons have the names of the answers.
const answerOf = (html, { folder }) => {
  const form = /<form method="post"[\s\S]*?<\/form>/.exec(html)?.[0]
  if (form === undefined) throw new Error(`no form: ${html.slice(0, 300)}`)
  const fields = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    /value="([^"]*)"/.exec(tag)?.[1] ?? '',
  ])
  const body = new URLSearchParams(fields)
  if (body.has('password')) {
    body.set('username', 'developer')
    body.set('password', readFileSync(join(folder, 'accounts-first-password'), 'utf8').trim())
  }
  body.set('answer', body.has('password') ? 'sign-in' : 'allow')
  return { action: /action="([^"]*)"/.exec(form)[1], body }
}

const requestOf = ({ authorize, client_id, redirect_uri, scope }) =>
  `${authorize}?${new URLSearchParams({
    client_id,
    redirect_uri,
    scope,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`

/** Signs in, consents, and returns the Cookie field of the browser. */
const signIn = async (server, flow) => {
  const jar = newJar()
  let next = new URL(requestOf(flow), server.base)
  let body
  for (let step = 0; step < maxSteps; step += 1) {
    if (!next.href.startsWith(`${server.base}/`)) {
      if (!next.searchParams.has('code')) throw new Error(`${server.name}: no code: ${next.href}`)
      return jar.fieldFor(flow.authorize)
    }
    const headers = {
      cookie: jar.fieldFor(next.pathname),
      accept: 'text/html',
      ...(body === undefined ? {} : { origin: server.base }),
    }
    const answer = await fetch(next, { headers, body, method: body === undefined ? 'GET' : 'POST', redirect: 'manual' })
    jar.take(answer.headers.getSetCookie())
    const location = answer.headers.get('location')
    const html = await answer.text()
    const form = location === null ? answerOf(html, server) : undefined
    body = form?.body
    next = new URL(location ?? form.action, next)
  }
  throw new Error(`${server.name}: the sign-in has no end`)
}

/** What a program needs to drive the flows of a client in so many browsers. */
export const signedInBrowsers = async (server, client, count) => {
  const flow = await flowOf(server, client)
  const cookies = []
  for (let index = 0; index < count; index += 1) cookies.push(await signIn(server, flow))
  return { base: server.base, ...flow, cookies }
}
