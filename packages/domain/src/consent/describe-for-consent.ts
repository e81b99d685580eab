import * as O from 'fp-ts/lib/Option.js'
import { isPlainObject, jsonInOrder, ownMember } from '../codec/json-object.js'
import type { Consent } from '../ports/consents.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ConsentFacts, ConsentPolicy, ConsentRequest } from './consent-facts.js'
import { identityOf } from './identity.js'
import { nameWarnings } from './name-warnings.js'
import { redirectHostsOf, redirectWarnings } from './redirect-hosts.js'
import { changesSince } from './shown-facts.js'

// RFC 7591 §2.2: the name, and its variants in other languages
const namesOf = ({ metadata }: RegisteredClient): ReadonlyArray<string> =>
  Object.entries(metadata).flatMap(([member, value]) =>
    (member === 'client_name' || member.startsWith('client_name#')) && typeof value === 'string' ? [value] : [],
  )

// RFC 7638 §3.2, RFC 8037 §2: the members that make a key
const membersOfKey = ['crv', 'e', 'kty', 'n', 'x', 'y']

const keyText = (key: unknown): string =>
  jsonInOrder(isPlainObject(key) ? Object.fromEntries(membersOfKey.map((name) => [name, ownMember(key, name)])) : null)

/** What identifies the keys of the client: the keys, or the URI at which they are. */
const keysOf = ({ metadata: { jwks = {}, jwks_uri } }: RegisteredClient): ReadonlyArray<string> => {
  const keys: unknown = ownMember(jwks, 'keys')
  return [...(jwks_uri === undefined ? [] : [jwks_uri]), ...(Array.isArray(keys) ? keys.map(keyText) : [])]
}

const once = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.filter((value, place) => values.findIndex((each) => jsonInOrder(each) === jsonInOrder(value)) === place)

/** What the page must say to the end-user, in which the registrant has no part but the names. */
export const describeForConsent =
  (policy: ConsentPolicy) =>
  (request: ConsentRequest, earlier: O.Option<Consent>): ConsentFacts => {
    const { client, scope, resources } = request
    const identity = identityOf(request)
    const names = namesOf(client)
    const redirectHosts = redirectHostsOf(request)
    const keys = keysOf(client)
    const requested = { identity, names, redirectHosts, keys, scope, resources }
    return {
      identity,
      names,
      redirectHosts,
      keys,
      warnings: [
        ...once(names.flatMap((name) => nameWarnings(name, policy, identity, redirectHosts))),
        ...redirectWarnings(redirectHosts),
      ],
      scope,
      resources,
      changes: O.isNone(earlier) ? [] : changesSince(requested, earlier.value),
    }
  }
