// What is stored of a consent: what the end-user saw and gave, and what was granted without asking.
import * as O from 'fp-ts/lib/Option.js'
import { type JsonObject, ownMember } from '../kernel/json-object.js'
import { type Consent, coversResources, identityChanges, isSeen, isSubset } from './consent.js'

type Permissions = Pick<Consent, 'scope' | 'resources'>

/** The facts of a client about which the end-user was not asked, as they are stored with what was granted so. */
export const unseenFacts = (facts: JsonObject): JsonObject => ({ ...facts, unseen: true })

const union = (one: ReadonlyArray<string> = [], other: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...new Set([...one, ...other]),
]

const both = (one: Permissions, other: Permissions): Permissions => ({
  scope: union(one.scope, other.scope),
  resources: Object.fromEntries(
    union(Object.keys(one.resources), Object.keys(other.resources)).map((each) => [
      each,
      union(ownMember(one.resources, each), ownMember(other.resources, each)),
    ]),
  ),
})

/** Whether the permissions give all of the others. */
export const coversPermissions = ({ scope, resources }: Permissions, others: Permissions): boolean =>
  isSubset(others.scope, scope) && coversResources(resources, others.resources)

/**
 * What is stored after an answer, or a page that was passed over, together with what was stored before. It counts as seen
 * only where the end-user saw all of it. What nobody saw is forgotten at the first answer, unless a grant of it goes on.
 * RFC 6749 §10.2: an answer about an application that has changed says nothing of what was given to it as it was before.
 */
export const extendConsent = (earlier: O.Option<Consent>, next: Consent, hasGrant: boolean): Consent => {
  if (O.isNone(earlier)) return next
  const before = earlier.value
  const isForgotten = (!isSeen(before) && !hasGrant) || identityChanges(next.shown, before.shown).length > 0
  if (isSeen(next) && isForgotten) return next
  const all = both(before, next)
  const [first, ...others] = [before, next].filter(isSeen)
  const isWhole = first !== undefined && coversPermissions(others.reduce<Permissions>(both, first), all)
  const facts = isSeen(next) ? next.shown : before.shown
  return { ...next, ...all, shown: isWhole ? facts : unseenFacts(facts) }
}
