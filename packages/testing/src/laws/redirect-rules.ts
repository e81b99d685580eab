import { type RegisteredRedirects, matchRedirectUri } from '@clientele/domain/client'
import type * as O from 'fp-ts/lib/Option.js'
import { type Law, lawsAbout } from './law.js'

/** The function that the laws of redirection URIs are about. */
export type RedirectRules = {
  /** The registered redirection URI that an authorization request asks for. */
  readonly matchRedirectUri: (registered: RegisteredRedirects, requested: unknown) => O.Option<string>
}

/** The domain's own rule. */
export const redirectRules: RedirectRules = { matchRedirectUri }

export type RedirectLaw = Law<RedirectRules>

export const redirectLaw = lawsAbout(redirectRules)
