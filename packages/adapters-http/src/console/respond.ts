// A page of the console as a response: the frame around it, and the headers that restrict it.
import { type Operator, permitsManagement } from '@clientele/domain/authorization'
import type { Unavailable } from '@clientele/domain/kernel'
import { type HttpResponse, seeOther } from '../http/response.js'
import { challengeOfForms, htmlResponse } from '../pages/page-response.js'
import type { RenderConsole } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { refusalStatuses } from '../statuses.js'
import { type Gone, type Section, type Shown, sections } from './page.js'

// Forms send to this service alone.
const policy = { language: 'en', directives: ["form-action 'self'"] } as const

/** Who visits. */
export type Visitor = {
  /** Whose privileges decide what the frame offers. */
  readonly operator: Operator
  /** Of the forms in the pages of this session. */
  readonly form: string
}

const nobody = { form: '', operator: undefined, may: {}, navigation: [] }

const frameOf = (base: string, current: Section | undefined, { form, operator }: Visitor) => ({
  form,
  operator,
  // Templates read members by names without a colon.
  may: Object.fromEntries(operator.privileges.map((privilege) => [privilege.replace(':', '_'), true])),
  navigation: Object.entries(sections)
    .filter(([, { needs }]) => permitsManagement(operator.privileges)(needs))
    .map(([name, { title, path }]) => ({ title, href: `${base}/console${path}`, isCurrent: name === current })),
})

export type Responding = {
  /** A page in the frame of its section; without a visitor, there is nothing but the page. */
  readonly page: (shown: Shown, section?: Section, visitor?: Visitor) => HttpResponse
  readonly unavailable: (refusal: Unavailable) => HttpResponse
  /** `link` is the ticket of a link, which counts when the button is pressed: a preview of the link does not use it up. */
  readonly signIn: (problem: string | undefined, next: string, link?: string) => HttpResponse
  readonly go: (gone: Gone) => HttpResponse
}

export const createResponding = (
  renderConsole: RenderConsole,
  { basePath, registration: { issuer } }: HttpSettings,
): Responding => {
  const page: Responding['page'] = ({ template, title, data, status = 200, refusal }, section, visitor) => {
    const frame = visitor === undefined ? nobody : frameOf(basePath, section, visitor)
    const rendered = renderConsole(template, { title, refusal, ...data, base: basePath, issuer, ...frame })
    const response = htmlResponse(status, rendered, policy)
    const challenge = status === refusalStatuses.missing_token ? challengeOfForms : {}
    // Fetch Standard, append a request Origin header: without a referrer, a form has the origin null, as one of another site may have.
    return { ...response, headers: { ...response.headers, ...challenge, 'Referrer-Policy': 'same-origin' } }
  }
  return {
    page,
    unavailable: ({ detail }) => ({
      ...page({
        template: 'message',
        title: 'The store cannot answer now',
        data: { text: 'Nothing was changed. Try again in some seconds.' },
        status: refusalStatuses.unavailable,
      }),
      detail,
    }),
    signIn: (problem, next, link = '') =>
      page({
        template: 'sign-in',
        title: 'Sign in to the console',
        data: { problem, next, link },
        status: problem === undefined ? 200 : refusalStatuses.missing_token,
      }),
    go: ({ to, notice }) =>
      seeOther(`${basePath}${to}${notice === undefined ? '' : `${to.includes('?') ? '&' : '?'}done=${notice}`}`),
  }
}
