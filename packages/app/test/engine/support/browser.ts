// A browser without pages: it follows redirects, and has a jar of cookies by host and path.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { epochSeconds } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { Interaction, InteractionAnswer } from '@clientele/domain/ports'
import { describeForConsent, noConsentPolicy, shownFacts } from '@clientele/domain/provider'
import * as assert from 'uvu/assert'
import type { Service } from '../../../src/compose.js'

type Cookie = { readonly name: string; readonly value: string; readonly path: string }

const pathMatches = (path: string, cookie: string): boolean =>
  cookie === '/' || path === cookie || path.startsWith(`${cookie}/`)

export class Browser {
  cookies: ReadonlyArray<Cookie> = []
  readonly sent: Array<string> = []

  take(fields: ReadonlyArray<string>): void {
    for (const field of fields) {
      const [pair = '', ...attributes] = field.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(name.length + 1)
      const given = attributes.find((each) => /^path=/i.test(each))
      const path = given === undefined ? '/' : given.slice(5)
      const isOver = attributes.some((each) => /^expires=Thu, 01 Jan 1970|^max-age=0/i.test(each))
      this.cookies = this.cookies.filter((each) => each.name !== name || each.path !== path)
      if (!isOver) this.cookies = [...this.cookies, { name, value, path }]
    }
  }

  cookieFor(url: string): string | undefined {
    const { pathname } = new URL(url)
    const sent = this.cookies.filter(({ path }) => pathMatches(pathname, path))
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = this.cookieFor(url)
    const headers = new Headers(init.headers)
    headers.set('Accept', 'text/html')
    if (cookie !== undefined) headers.set('Cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    this.sent.push(`${response.status} ${url}`)
    this.take(response.headers.getSetCookie())
    return response
  }
}

export const endUser = (sub: string, claims = {}): InteractionAnswer => {
  if (!Subject.is(sub)) throw new Error(sub)
  return { answer: 'signed_in', endUser: { sub, claims, auth_time: epochSeconds(Date.now()) } }
}

export const consented: InteractionAnswer = { answer: 'consented', shown: { shown: true } }

/** The facts that the page of the interaction shows, in the answer to it. */
const withFacts = (answer: InteractionAnswer, interaction: Interaction): InteractionAnswer =>
  answer.answer === 'consented'
    ? { ...answer, shown: shownFacts(describeForConsent(noConsentPolicy)(interaction, O.none)) }
    : answer

export type Answers = { readonly login: InteractionAnswer; readonly consent: InteractionAnswer }

const interactionOf = /\/interaction\/([A-Za-z0-9_-]+)$/

/** Goes on until the browser leaves the service: signs in and consents where it is prompts. */
export const goThrough = async (
  browser: Browser,
  service: Service,
  url: string,
  answers: Answers = { login: endUser('zoe'), consent: consented },
): Promise<{
  readonly end: URL | undefined
  readonly page: Response | undefined
  readonly prompts: ReadonlyArray<string>
}> => {
  const prompts: Array<string> = []
  for (let next = url; ;) {
    if (!next.startsWith(`${service.url}/`)) return { end: new URL(next), page: undefined, prompts }
    const [, id] = interactionOf.exec(next) ?? []
    if (id !== undefined) {
      const { interactions } = service.provider
      assert.ok(interactions)
      const cookies = { cookie: browser.cookieFor(next) }
      const found = await interactions.findInteraction(id, cookies)()
      if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
      prompts.push(found.right.prompt)
      const answer = withFacts(answers[found.right.prompt], found.right)
      const answered = await interactions.answerInteraction(id, cookies, answer)()
      if (E.isLeft(answered)) throw new Error(JSON.stringify(answered.left))
      browser.take(answered.right.setCookies)
      next = new URL(answered.right.location, service.url).href
      continue
    }
    const response = await browser.open(next)
    const location = response.headers.get('location')
    if (location === null) return { end: undefined, page: response, prompts }
    next = new URL(location, next).href
  }
}
