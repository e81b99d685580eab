import { registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { epochSeconds } from '../../src/kernel/time.js'
import {
  type Consent,
  type ConsentPolicy,
  type ConsentRequest,
  describeForConsent,
  noConsentPolicy,
  shownFacts,
} from '../../src/provider/consent.js'
import { Subject } from '../../src/logout/sessions.js'

type Given = Pick<ConsentRequest, 'client'> & {
  readonly redirectUri?: string | undefined
  readonly scope?: ReadonlyArray<string>
}

export const requestOf = ({ client, redirectUri, scope = ['openid'] }: Given): ConsentRequest => ({
  client,
  redirectUri: redirectUri ?? client.metadata.redirect_uris?.[0] ?? 'https://rp.example/cb',
  scope,
  resources: {},
})

const sub = 'alice'
if (!Subject.is(sub)) throw new Error('not a subject')

/** The consent that is stored when the end-user agrees to the request. */
export const consentOf = (request: ConsentRequest): Consent => ({
  sub,
  client: request.client,
  scope: request.scope,
  resources: request.resources,
  shown: shownFacts(describeForConsent(noConsentPolicy)(request, O.none)),
  given_at: epochSeconds(1_700_000_000_000),
})

const scope = (): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.uniqueArray(fc.constantFrom('openid', 'profile', 'email', 'offline_access', 'read', 'write'))

export const consentRequest = (): fc.Arbitrary<ConsentRequest> =>
  fc
    .tuple(registeredClient(), fc.nat(), scope(), fc.dictionary(fc.webUrl(), scope(), { maxKeys: 2 }))
    .map(([client, place, requested, resources]) => {
      const uris = client.metadata.redirect_uris ?? []
      const redirectUri = uris[place % Math.max(1, uris.length)]
      return { ...requestOf({ client, redirectUri, scope: requested }), resources }
    })

export const consentPolicy = (): fc.Arbitrary<ConsentPolicy> =>
  fc.record({
    protectedNames: fc.array(
      fc.record({ name: fc.string({ unit: 'grapheme' }), hosts: fc.array(fc.domain(), { maxLength: 2 }) }),
      { maxLength: 3 },
    ),
    firstPartyClients: fc.array(fc.string(), { maxLength: 2 }),
    showsUnvouched: fc.boolean(),
  })
