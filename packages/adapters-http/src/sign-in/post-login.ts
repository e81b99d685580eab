// POST /interaction/{id}/login: the form of the development login.
import { sourceOf } from '@clientele/domain/kernel'
import { singleValue } from '@clientele/domain/logout'
import { claimLoginAttempt } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { fieldsOf } from '../http/request-body.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'
import { type InteractionPages, type Visit, interactionPages, seeOther } from './interaction-pages.js'
import { type DevelopmentLogin, loginPage, loginValue } from './login-page.js'
import type { SignInPorts } from '../ports.js'

type Given = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly attempt: number
  readonly username: string
  readonly password: string
}

const givenIn = ({ request }: Visit): Given => {
  const fields = fieldsOf(request.body)
  const attempt = singleValue(fields, 'attempt') ?? ''
  return {
    value: singleValue(fields, 'value'),
    answer: singleValue(fields, 'answer'),
    attempt: /^\d$/.test(attempt) ? Number(attempt) : 0,
    username: singleValue(fields, 'username') ?? '',
    password: singleValue(fields, 'password') ?? '',
  }
}

const signIn = (ports: SignInPorts, pages: InteractionPages, login: DevelopmentLogin) => {
  const claim = claimLoginAttempt(ports)
  const { consumeBudget } = ports
  const page = loginPage(pages, login)
  return async (visit: Visit, { attempt, username, password }: Given): Promise<HttpResponse> => {
    const { id } = visit.interaction
    // A password can be guessed, unlike a token: the budget is consumed before it is checked, whatever the result.
    const consumed = await consumeBudget('credentials', sourceOf(visit.request.remoteAddress))()
    if (E.isLeft(consumed)) return pages.tooMany(visit.language, 'credentials', consumed.left, pages.addressOf(id))
    const refused = async (reason: string): Promise<HttpResponse> => ({
      ...(await page(visit, { attempt: attempt + 1, username, refused: true })),
      reason,
    })
    const claimed = await claim({ interaction: id, attempt })()
    if (E.isLeft(claimed)) return pages.unavailable(visit.language, claimed.left, pages.addressOf(id))
    if (!claimed.right) return refused('attempt_used')
    const checked = await login.check({ username, password })()
    if (E.isRight(checked)) return pages.finish(visit, { answer: 'signed_in', endUser: checked.right.endUser })
    return checked.left.error === 'unavailable'
      ? pages.unavailable(visit.language, checked.left, pages.addressOf(id))
      : refused(checked.left.reason)
  }
}

export const postLogin = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const pages = interactionPages(settings, ports)
  const { login } = ports
  const answer = async (visit: Visit): Promise<HttpResponse> => {
    const { interaction } = visit
    // The interaction went on in another tab, or end-users sign in elsewhere: its page asks what is asked now.
    if (login.kind !== 'development' || interaction.prompt !== 'login') return seeOther(pages.addressOf(interaction.id))
    const given = givenIn(visit)
    if (given.value !== loginValue(pages, visit))
      return {
        ...(await loginPage(pages, login)(visit, { attempt: 1, username: given.username, refused: false })),
        reason: 'stale_page',
      }
    return given.answer === 'cancel'
      ? pages.finish(visit, { answer: 'denied' })
      : signIn(ports, pages, login)(visit, given)
  }
  return (request) => pages.visit(request, answer)
}
