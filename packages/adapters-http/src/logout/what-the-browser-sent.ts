// The form and the cookies of a request, as far as logout asks for them.
import type { LogoutParameters, TokenHash } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { cookieOf } from '../http/cookies.js'
import type { HttpRequest } from '../http/request.js'
import type { LogoutPorts } from './logout-ports.js'

const isFields = (body: unknown): body is LogoutParameters => typeof body === 'object' && body !== null

/** The fields of a form; none where it cannot be read. */
export const fieldsOf = ({ body }: HttpRequest): LogoutParameters =>
  E.isRight(body) && isFields(body.right) ? body.right : {}

/** A cookie by its hash: its value is not known beyond this place. */
export const hashedCookie =
  ({ hashToken }: Pick<LogoutPorts, 'hashToken'>) =>
  (request: HttpRequest, name: string): TokenHash | undefined => {
    const value = cookieOf(request, name)
    return value === undefined ? undefined : hashToken(value)
  }
