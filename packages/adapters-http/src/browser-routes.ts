// The pages for end-users.
import { getConfirm } from './logout/get-confirm.js'
import { getOrPostLogout } from './logout/get-or-post-logout.js'
import { postConfirm } from './logout/post-confirm.js'
import { type Family, baseOf, management } from './route-kinds.js'
import { escapePattern } from './serve/routing.js'
import { getInteractionCallback } from './sign-in/get-interaction-callback.js'
import { getInteraction } from './sign-in/get-interaction.js'
import { getLoginCallback } from './sign-in/get-login-callback.js'
import { getConsents, postConsents } from './sign-in/get-or-post-consents.js'
import { postConsent } from './sign-in/post-consent.js'
import { postLogin } from './sign-in/post-login.js'

// Only browsers request these, also by links and forms of other sites; scripts of other origins may not read the
// answers.
export const logoutRoutes: Family<'service'> = (settings, ports) => {
  if (settings.logout.path === undefined) return []
  const path = `${baseOf(settings)}${escapePattern(settings.logout.path)}`
  const ask = getOrPostLogout(settings, ports)
  return [
    management('GET', path, ask),
    { ...management('POST', path, ask), takes: 'form' },
    management('GET', `${path}/confirm`, getConfirm(settings, ports)),
    { ...management('POST', `${path}/confirm`, postConfirm(settings, ports)), takes: 'form' },
  ]
}

// Only browsers request these. They are there where an authorization server sends end-users to them.
export const signInRoutes: Family<'signIn'> = (settings, ports) => {
  const interaction = `${baseOf(settings)}/interaction/:id`
  const consents = `${baseOf(settings)}/consents`
  const { login } = ports
  const callback = `${baseOf(settings)}/login/callback`
  return [
    management('GET', interaction, getInteraction(settings, ports)),
    { ...management('POST', `${interaction}/login`, postLogin(settings, ports)), takes: 'form' },
    { ...management('POST', `${interaction}/consent`, postConsent(settings, ports)), takes: 'form' },
    ...(login.kind === 'elsewhere'
      ? [
          management('GET', callback, getLoginCallback(settings, ports)),
          management('GET', `${interaction}/callback`, getInteractionCallback(settings, ports, login)),
        ]
      : []),
    management('GET', consents, getConsents(settings, ports)),
    { ...management('POST', consents, postConsents(settings, ports)), takes: 'form' },
  ]
}
