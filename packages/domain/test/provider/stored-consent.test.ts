// What is stored of consents that end-users gave on a page, and of pages that were passed over.
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Consent,
  decideConsent,
  describeForConsent,
  identityChanges,
  isSeen,
  noConsentPolicy,
} from '../../src/provider/consent.js'
import { coversPermissions, extendConsent, unseenFacts } from '../../src/provider/stored-consent.js'
import { consentOf, consentRequest } from '../support/consent.js'

const Stored = suite('what is stored of a consent')
const it = law(Stored)

/** Consents to an application as it is at two times, or to others. */
const consent = fc
  .tuple(consentRequest(), fc.boolean(), fc.option(fc.constantFrom('rp.example', 'other.example')))
  .map(([request, seen, host]): Consent => {
    const given = consentOf(request)
    const shown = host === null ? given.shown : { identity: '', name: ['Example'], redirect_hosts: [host], keys: [] }
    return { ...given, shown: seen ? shown : unseenFacts(shown) }
  })

const isOfOneApplication = (one: Consent, other: Consent): boolean =>
  identityChanges(one.shown, other.shown).length === 0

it(
  'what is stored counts as seen only where the end-user saw all of it, together with the stored facts',
  [fc.array(consent, { minLength: 1, maxLength: 5 }), fc.boolean()],
  (answers, hasGrant) => {
    const last = answers.reduce<O.Option<Consent>>((one, next) => O.some(extendConsent(one, next, hasGrant)), O.none)
    if (O.isNone(last) || !isSeen(last.value)) return
    const stored = last.value
    const seen = answers.filter((each) => isSeen(each) && isOfOneApplication(each, stored))
    for (const value of last.value.scope) assert.ok(seen.some(({ scope }) => scope.includes(value)))
    for (const [resource, values] of Object.entries(last.value.resources))
      for (const value of values) assert.ok(seen.some(({ resources }) => resources[resource]?.includes(value)))
  },
)

it(
  'the answer itself is stored, and where a grant goes on and the application is the same, all before it',
  [consent, consent, fc.boolean()],
  (...given) => {
    const [before, next, hasGrant] = given
    const stored = extendConsent(O.some(before), next, hasGrant)
    assert.ok(coversPermissions(stored, next))
    const goesOn = (hasGrant || isSeen(before)) && isOfOneApplication(before, next)
    if (goesOn || !isSeen(next)) assert.ok(coversPermissions(stored, before))
    else assert.equal(stored, next)
  },
)

it('a page that was passed over leaves the facts that the end-user saw', [consent, consent], (before, any) => {
  const next = { ...any, shown: unseenFacts(any.shown) }
  const { shown } = extendConsent(O.some(before), next, true)
  assert.equal(unseenFacts(shown), unseenFacts(before.shown))
  assert.equal(extendConsent(O.none, next, true), next)
})

it('where no entry skips, the page comes for what was never seen', [consentRequest()], (request) => {
  const given = consentOf(request)
  const earlier = O.some({ ...given, shown: unseenFacts(given.shown) })
  const facts = describeForConsent(noConsentPolicy)(request, earlier)
  assert.equal(facts.changes, [])
  assert.equal(decideConsent(noConsentPolicy)(request, earlier, facts), { kind: 'ask', because: 'first' })
})

it('any stored facts are read', [fc.anything()], (value) => {
  const shown = value as Consent['shown']
  if (typeof value === 'object' && value !== null) assert.type(isSeen({ shown }), 'boolean')
})

Stored.run()
