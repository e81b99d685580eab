// What an interaction of the engine waits for, in the terms of the port.
import { Subject } from '@clientele/domain/logout'
import type { Interaction } from '@clientele/domain/ports'
import type { KnownClient } from '@clientele/domain/provider'
import type { Provider } from 'oidc-provider'
import { type AccountPorts, claimsOf } from '../accounts.js'
import type { Permissions } from '../consents.js'

export type Pending = InstanceType<Provider['Interaction']>
export type Found = { readonly pending: Pending; readonly known: KnownClient }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const valuesOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
const requestedScope = ({ params }: Pending): ReadonlyArray<string> => textOf(params['scope'])?.split(' ') ?? []

const resourcesOf = (missing: unknown): Permissions['resources'] =>
  typeof missing === 'object' && missing !== null
    ? Object.fromEntries(Object.entries(missing).map(([resource, values]) => [resource, valuesOf(values)]))
    : {}

/** What the end-user is requested for: what is missing, or else all that was requested, because the request demands a consent. */
export const requestedOf = (pending: Pending): Permissions => {
  const { missingOIDCScope, missingResourceScopes } = pending.prompt.details
  const scope = valuesOf(missingOIDCScope)
  const resources = resourcesOf(missingResourceScopes)
  const isNothing = scope.length === 0 && Object.keys(resources).length === 0
  return isNothing ? { scope: requestedScope(pending), resources } : { scope, resources }
}

const uiLocalesOf = ({ params }: Pending): Pick<Interaction, 'uiLocales'> => {
  const uiLocales = textOf(params['ui_locales'])
  return uiLocales === undefined ? {} : { uiLocales }
}

const loginHintOf = ({ params }: Pending): Pick<Interaction, 'loginHint'> => {
  const loginHint = textOf(params['login_hint'])
  return loginHint === undefined ? {} : { loginHint }
}

const promptsOf = ({ params }: Pending): ReadonlyArray<string> => textOf(params['prompt'])?.split(' ') ?? []

// A document without an approval, or that has changed since, is shown whatever was consented to before.
const mustAskOf = (pending: Pending, { kind }: KnownClient): Pick<Interaction, 'mustAsk'> =>
  kind === 'documented' || promptsOf(pending).includes('consent') ? { mustAsk: true } : {}

const maxAgeOf = (pending: Pending): Pick<Interaction, 'maxAge'> => {
  if (promptsOf(pending).includes('login')) return { maxAge: 0 }
  const maxAge = String(pending.params['max_age'])
  return /^\d+$/.test(maxAge) ? { maxAge: Number(maxAge) } : {}
}

export const described = async (ports: AccountPorts, { pending, known }: Found): Promise<Interaction> => {
  const { client } = known
  const { uid, params, prompt, session } = pending
  const sub = session?.accountId
  const isSignedIn = Subject.is(sub)
  return {
    id: uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    client,
    redirectUri: textOf(params['redirect_uri']) ?? '',
    ...requestedOf(pending),
    ...(isSignedIn ? { sub, claims: await claimsOf(ports, sub) } : {}),
    ...mustAskOf(pending, known),
    ...maxAgeOf(pending),
    ...uiLocalesOf(pending),
    ...loginHintOf(pending),
  }
}
