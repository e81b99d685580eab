import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isJsonObject, maxDepth, noLimits, secondsAfter, unknownClient } from '@clientele/domain'
import * as assert from 'uvu/assert'
import { subject } from '../arbitraries/end-user-session.js'
import { epochSecond } from '../arbitraries/generated-credentials.js'
import { customData } from '../arbitraries/json-values.js'
import { httpsUri } from '../arbitraries/redirect-uri.js'
import { exampleArtefact, exampleClient, exampleConsent, exampleTime } from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused } from './open-store.js'

const client = exampleClient('a')
const other = exampleClient('b')
const given = exampleConsent(client)
const ofOther = exampleConsent(other)
const ofAnn = exampleConsent(client, 'ann')

/** The promises of Consents. */
export const consentsContract = (name: string, open: OpenStore<'registry' | 'consents' | 'artefacts'>): Contract => {
  const { test, tests } = collect(`Consents ${name}`)
  const it = onNewStore(test, open, async ({ registry }) => {
    for (const each of [client, other]) await done(registry.addClient(each, O.none, noLimits))
  })

  it('a consent is found as it was given, by the other handle too, and the last one is kept', async (ports) => {
    const members = {
      sub: subject(),
      client: fc.constantFrom(given.client, ofOther.client),
      scope: fc.array(fc.string()),
      resources: fc.dictionary(httpsUri(), fc.array(fc.string()), { noNullPrototype: true }),
      shown: customData().filter(isJsonObject(maxDepth)),
      given_at: epochSecond(),
    }
    const roundTrip = fc.asyncProperty(fc.record(members, { noNullPrototype: true }), async (consent) => {
      for (const each of [{ ...consent, scope: [] }, consent]) await done(ports.consents.recordConsent(each))
      const { sub, client: of } = consent
      assert.equal(await done(ports.consents.findConsent(sub, of)), O.some(consent))
      assert.equal(await done(ports.other.consents.findConsent(sub, of)), O.some(consent))
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('it is found for its end-user and registration alone', async ({ consents }) => {
    await done(consents.recordConsent(given))
    assert.equal(await done(consents.findConsent(ofAnn.sub, given.client)), O.none)
    assert.equal(await done(consents.findConsent(given.sub, ofOther.client)), O.none)
    assert.equal(
      await done(consents.findConsent(given.sub, exampleConsent(exampleClient('a', 'second')).client)),
      O.none,
    )
  })

  it('there is none for a registration that has ended', async ({ registry, consents }) => {
    assert.equal(await refused(consents.recordConsent(exampleConsent(exampleClient('stranger')))), unknownClient)
    await done(registry.removeClient(client.client_id, O.none))
    await done(registry.addClient(exampleClient('a', 'second'), O.none, noLimits))
    assert.equal(await refused(consents.recordConsent(given)), unknownClient)
    assert.equal(await done(consents.listConsents(given.sub)), [])
  })

  it('an end-user has the consents of its own, the oldest first', async ({ consents }) => {
    const earlier = { ...ofOther, given_at: secondsAfter(exampleTime, -1) }
    for (const each of [given, earlier, ofAnn]) await done(consents.recordConsent(each))
    assert.equal(await done(consents.listConsents(given.sub)), [earlier, given])
    assert.equal(await done(consents.listConsents(ofAnn.sub)), [ofAnn])
  })

  it('it ends with the registration for good, the others stay', async ({ registry, consents }) => {
    for (const each of [given, ofOther, ofAnn]) await done(consents.recordConsent(each))
    await done(registry.removeClient(client.client_id, O.none))
    await done(registry.addClient(exampleClient('a', 'second'), O.none, noLimits))
    assert.equal(await done(consents.listConsents(given.sub)), [ofOther])
    assert.equal(await done(consents.listConsents(ofAnn.sub)), [])
  })

  it('of consents that are given while the client is deleted and registered again, none is found afterwards', async (ports) => {
    const registerAnew = async (): Promise<void> => {
      await done(ports.other.registry.removeClient(client.client_id, O.none))
      await done(ports.other.registry.addClient(exampleClient('a', 'second'), O.none, noLimits))
    }
    const subs = Array.from({ length: 20 }, (_, nth) => exampleConsent(client, `user-${nth}`))
    const recorded = race(ports, subs, ({ consents }, each) => consents.recordConsent(each))
    await Promise.all([recorded, registerAnew()])
    for (const outcome of await recorded) if (E.isLeft(outcome)) assert.equal(outcome.left, unknownClient)
    for (const { sub } of subs) assert.equal(await done(ports.consents.listConsents(sub)), [])
  })

  it('its removal removes every artefact of that end-user at that client, and no other', async ({
    consents,
    artefacts,
  }) => {
    for (const each of [given, ofOther, ofAnn]) await done(consents.recordConsent(each))
    const { sub, client: of } = given
    const removed = [
      { ...exampleArtefact('grant', 'of-both'), sub, client: of },
      { ...exampleArtefact('refresh_token', 'of-both'), sub, client: of },
    ]
    const others = [
      { ...exampleArtefact('grant', 'of-ann'), sub: ofAnn.sub, client: of },
      { ...exampleArtefact('grant', 'of-other'), sub, client: ofOther.client },
      { ...exampleArtefact('session', 'of-user'), sub },
      { ...exampleArtefact('client_credentials', 'of-client'), client: of },
    ]
    for (const each of [...removed, ...others]) await done(artefacts.storeArtefact(each, exampleTime))
    await done(consents.removeConsent(sub, of))
    await done(consents.removeConsent(sub, of))
    assert.equal(await done(consents.listConsents(sub)), [ofOther])
    assert.equal(await done(consents.listConsents(ofAnn.sub)), [ofAnn])
    for (const each of removed) assert.equal(await done(artefacts.findArtefact(each.kind, each.hash)), O.none)
    for (const each of others) assert.equal(await done(artefacts.findArtefact(each.kind, each.hash)), O.some(each))
  })

  return tests
}
