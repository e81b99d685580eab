import * as O from 'fp-ts/lib/Option.js'
import type { Consent } from '../ports/consents.js'
import { isNamedBySettings } from '../client/registered-by.js'
import type { ConsentFacts, ConsentPolicy, ConsentRequest } from './consent-facts.js'

export type ConsentDecision =
  | { readonly kind: 'skip'; readonly because: 'first_party' | 'remembered' }
  | { readonly kind: 'ask'; readonly because: 'requested' | 'first' | 'changed' | 'unassured' }

// RFC 8252 §8.6: without a proof of the client, an earlier consent may have been given to another application
const isUnassured = ({ client: { metadata } }: ConsentRequest, { redirectHosts }: ConsentFacts): boolean =>
  metadata.token_endpoint_auth_method === 'none' && redirectHosts[0]?.kind !== 'web'

const isFirstParty = ({ client }: ConsentRequest, { firstPartyClients }: ConsentPolicy): boolean =>
  isNamedBySettings(client) && firstPartyClients.includes(client.client_id)

/** Whether the end-user is asked, with facts that describeForConsent made of the same request and consent. */
export const decideConsent =
  (policy: ConsentPolicy) =>
  (request: ConsentRequest, remembered: O.Option<Consent>, facts: ConsentFacts): ConsentDecision => {
    if (request.mustAsk === true) return { kind: 'ask', because: 'requested' }
    if (isFirstParty(request, policy)) return { kind: 'skip', because: 'first_party' }
    if (O.isNone(remembered)) return { kind: 'ask', because: 'first' }
    if (facts.changes.length > 0) return { kind: 'ask', because: 'changed' }
    return isUnassured(request, facts) ? { kind: 'ask', because: 'unassured' } : { kind: 'skip', because: 'remembered' }
  }
