// The page of the development login.
import { shownApplication } from '@clientele/domain/logout'
import { maxLoginAttempts } from '@clientele/domain/operations'
import type { EndUserLogin } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpResponse } from '../http/response.js'
import type { InteractionPages, Visit } from './interaction-pages.js'

export type DevelopmentLogin = Extract<EndUserLogin, { kind: 'development' }>

type Requested = { readonly attempt: number; readonly username: string; readonly refused: boolean }

const maxUsername = 255

export const loginValue = ({ valueOf }: InteractionPages, { interaction }: Visit): string =>
  valueOf({ page: 'login', interaction: interaction.id })

// RFC 9110 §15.5.2: a 401 has a challenge. No browser knows this scheme, so that it shows the page.
const unauthorized = (response: HttpResponse): HttpResponse => ({
  ...response,
  status: 401,
  headers: { ...response.headers, 'WWW-Authenticate': 'Form' },
})

/** The form, or its end after the last attempt. One text for all refusals: whether a name exists is not told. */
export const loginPage =
  (pages: InteractionPages, { listAccounts }: DevelopmentLogin) =>
  async (visit: Visit, { attempt, username, refused }: Requested): Promise<HttpResponse> => {
    const { interaction, language } = visit
    const form = { action: `${pages.addressOf(interaction.id)}/login`, value: loginValue(pages, visit) }
    if (attempt > maxLoginAttempts) return pages.respond({ kind: 'too_many_attempts', form }, language)
    const accounts = await listAccounts()
    const page = pages.respond(
      {
        kind: 'login',
        form,
        application: shownApplication(language)(interaction.client, interaction.redirectUri),
        attempt,
        username: username.slice(0, maxUsername),
        refused,
        accounts: E.isRight(accounts) ? accounts.right.map((account) => account.username) : [],
      },
      language,
    )
    return refused ? unauthorized(page) : page
  }
