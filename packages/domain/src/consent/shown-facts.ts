// The part of the facts that is stored with a consent, to recognize changes later.
import { type JsonObject, isPlainObject, jsonInOrder, ownMember } from '../codec/json-object.js'
import type { Consent } from '../ports/consents.js'
import type { ConsentChange, ConsentFacts } from './consent-facts.js'

type Identified = Pick<ConsentFacts, 'identity' | 'names' | 'redirectHosts' | 'keys'>

/** What the end-user was shown, as stored with the consent. */
export const shownFacts = ({ identity, names, redirectHosts, keys }: Identified): JsonObject => ({
  identity: identity.kind === 'verified' ? identity.host : '',
  name: [...names].sort(),
  redirect_hosts: redirectHosts.map(({ host }) => host).sort(),
  keys: [...keys].sort(),
})

type Requested = Identified & Pick<ConsentFacts, 'scope' | 'resources'>

const isSubset = (requested: ReadonlyArray<string>, given: ReadonlyArray<string> | undefined): boolean =>
  requested.every((value) => given?.includes(value) === true)

const givenFor = ({ resources }: Consent, resource: string): ReadonlyArray<string> | undefined =>
  Object.hasOwn(resources, resource) ? resources[resource] : undefined

const identifying = ['identity', 'name', 'redirect_hosts', 'keys'] as const

/** What differs from the consent. A fact that was not stored with it counts as changed. */
export const changesSince = (requested: Requested, consent: Consent): ReadonlyArray<ConsentChange> => {
  const shown = shownFacts(requested)
  const earlier: unknown = consent.shown
  const stored = isPlainObject(earlier) ? earlier : {}
  const resources = Object.entries(requested.resources)
  return [
    ...identifying.filter((name) => jsonInOrder(shown[name]) !== jsonInOrder(ownMember(stored, name))),
    ...(isSubset(requested.scope, consent.scope) ? [] : ['scope' as const]),
    ...(resources.every(
      ([resource, scope]) => givenFor(consent, resource) !== undefined && isSubset(scope, givenFor(consent, resource)),
    )
      ? []
      : ['resources' as const]),
  ]
}
