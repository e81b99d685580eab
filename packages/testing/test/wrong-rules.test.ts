import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Privileges, type ValueSet, noPrivileges } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { type LastRead, maxReadAge, maxSkew, newRing } from '@clientele/domain/keys'
import {
  type AuthorizationRules,
  type BrokenLaw,
  type DocumentRules,
  type KeyRules,
  type MetadataRules,
  authorizationLaws,
  authorizationRules,
  brokenAmong,
  brokenLaws,
  checkLaw,
  documentLaws,
  documentRules,
  keyLaws,
  keyRules,
  metadataLaws,
  metadataRules,
} from '../src/index.js'
import { metadataFaultLaws } from '../src/laws/metadata-values.js'
import { managementLaws } from '../src/laws/authorization-laws.js'
import { boundLaws, orderLaws, registrationScopeLaws } from '../src/laws/privilege-laws.js'

// Wrong rules: each violates the expected laws, with a counterexample that shows the fault.
const Wrong = suite('wrong rules')

// The faults are known, so that fixed cases suffice.
const parameters = { seed: 1, numRuns: 40 }

const breaking = (wrong: Partial<AuthorizationRules>): ReadonlyMap<string, BrokenLaw<AuthorizationRules>> =>
  new Map(brokenLaws({ ...authorizationRules, ...wrong }, parameters).map((broken) => [broken.law.id, broken]))

const permittedByPrefix = (granted: ValueSet, requested: ValueSet): boolean =>
  granted === 'any' || (requested !== 'any' && requested.every((value) => granted.some((one) => value.startsWith(one))))

const permitsByPrefix = (granted: Privileges) => (requested: Privileges) =>
  authorizationRules.permits(granted)({ ...requested, scope: [] }) && permittedByPrefix(granted.scope, requested.scope)

Wrong('scope values that are compared by their beginnings: openid is not permitted by open', () => {
  const laws = [...orderLaws, ...registrationScopeLaws]
  const broken = brokenAmong(laws)({ ...authorizationRules, permits: permitsByPrefix }, { seed: 1, numRuns: 1000 })
  const ids = broken.map(({ law }) => law.id)
  for (const id of ['order-is-adding-nothing', 'appended-text-is-one-scope-value']) assert.ok(ids.includes(id), id)
  const { counterexample, report } = broken[ids.indexOf('order-is-adding-nothing')] ?? {}
  assert.equal(
    counterexample,
    ['open', 'openid'].map((value) => ({ ...noPrivileges, scope: [value] })),
  )
  assert.match(report ?? '', /seed: 1, path: "/)
})

Wrong('an update that looks at grant types alone: data and scope slip through', () => {
  const permitUpdate: AuthorizationRules['permitUpdate'] = (granted, ceiling, current) => (next) =>
    authorizationRules.permitUpdate(
      { ...granted, scope: 'any', data: true },
      { ...ceiling, scope: 'any', data: true },
      current,
    )(next)
  assert.equal([...breaking({ permitUpdate }).keys()].sort(), [
    'update-adds-nothing-that-registration-would-not',
    'update-adds-only-what-was-allowed',
    'update-keeps-data-but-does-not-alter-it',
  ])
})

const anySeed = [1, 2, 3, 4, 5]
// So many runs are usual for those who use the kit; here, PROPERTY_RUNS may say fewer.
const numRuns = 200

/** The seeds with which the law finds the fault in the runs that are usual. */
const foundBy = (id: string, wrong: Partial<AuthorizationRules>): ReadonlyArray<number> => {
  const laws = authorizationLaws.filter((law) => law.id === id)
  return anySeed.filter((seed) => brokenAmong(laws)({ ...authorizationRules, ...wrong }, { seed, numRuns }).length > 0)
}

Wrong('small escalations, which every run of the laws finds', () => {
  const { permitsManagement, authorizeRegistrant, parseRegistrationScope } = authorizationRules
  const keysGiveSessions: AuthorizationRules['permitsManagement'] = (granted) =>
    permitsManagement(granted.includes('keys') ? [...granted, 'sessions'] : granted)
  assert.equal(foundBy('management-needs-every-privilege', { permitsManagement: keysGiveSessions }), anySeed)
  const lastsTooLong: AuthorizationRules['authorizeRegistrant'] = (mode, ceilings) => (credential, token, at) =>
    authorizeRegistrant(mode, ceilings)(credential, token, secondsAfter(at, -1))
  assert.equal(foundBy('bad-credential-is-not-anonymous', { authorizeRegistrant: lastsTooLong }), anySeed)
  const unusableIsAbsent: AuthorizationRules['authorizeRegistrant'] = (mode, ceilings) => (credential, token, at) =>
    authorizeRegistrant(mode, ceilings)(
      credential.kind === 'unusable' && O.isNone(token) ? { kind: 'none' } : credential,
      token,
      at,
    )
  assert.equal(foundBy('bad-credential-is-not-anonymous', { authorizeRegistrant: unusableIsAbsent }), anySeed)
  for (const clean of [(text: string) => text.trim(), (text: string) => text.replaceAll(/\s+/g, ' ')])
    assert.equal(
      foundBy('any-value-is-a-scope-or-refused', {
        parseRegistrationScope: (scope) => parseRegistrationScope(typeof scope === 'string' ? clean(scope) : scope),
      }),
      anySeed,
    )
  const dataBesideScope: AuthorizationRules['permits'] = (granted) => (requested) =>
    authorizationRules.permits(granted)(requested.scope.length > 0 ? { ...requested, data: false } : requested)
  assert.equal(foundBy('order-is-adding-nothing', { permits: dataBesideScope }), anySeed)
})

Wrong('an update that forgets one rule of registrations, which every run of the laws finds', () => {
  const decodeUpdate: MetadataRules['decodeUpdate'] = (client) => (body) => {
    const decoded = metadataRules.decodeUpdate(client)(body)
    const isForgotten = E.isLeft(decoded) && decoded.left.errors?.some(({ rule }) => rule === 'signing-algorithm')
    return isForgotten === true ? E.right({}) : decoded
  }
  const laws = metadataLaws.filter(({ id }) => id === 'any-value-is-judged-alike')
  const isFound = (seed: number): boolean =>
    brokenAmong(laws)({ ...metadataRules, decodeUpdate }, { seed, numRuns }).length > 0
  assert.equal(anySeed.filter(isFound), anySeed)
})

Wrong('a check of no cases is refused, because every law would hold', () => {
  for (const numRuns of [0, -1, NaN, 1.5, Infinity])
    assert.throws(() => brokenLaws(authorizationRules, { numRuns }), /^numRuns must be a whole number, 1 or more/)
  const unset: object = { numRuns: undefined }
  assert.equal(brokenAmong(orderLaws)(authorizationRules, unset), [])
})

Wrong('an operator who is anybody with a token', () => {
  const authorizeOperator: AuthorizationRules['authorizeOperator'] = ({ kind }) =>
    kind === 'none' ? E.left({ error: 'missing_token' }) : E.right(undefined)
  const broken = brokenAmong(managementLaws)({ ...authorizationRules, authorizeOperator }, parameters)
  assert.equal(
    broken.map(({ law }) => law.id),
    ['master-token-counts-by-its-hash', 'operators-need-their-privileges'],
  )
})

Wrong('a function that throws breaks the laws that ask it, and no other', () => {
  const unionOf = (): never => {
    throw new Error('not done yet')
  }
  const [broken, ...others] = brokenAmong(boundLaws)({ ...authorizationRules, unionOf }, parameters)
  assert.equal([broken?.law.id, others], ['union-of-many', []])
  assert.match(broken?.report ?? '', 'not done yet')
})

Wrong('checkLaw says the law and the smallest counterexample, which seed and path bring back', () => {
  const law = authorizationLaws.find(({ id }) => id === 'order-is-adding-nothing')
  assert.ok(law)
  checkLaw(law)
  const reported = (parameters: object): string => {
    try {
      checkLaw(law, { ...authorizationRules, permits: () => () => false }, parameters)
    } catch (error) {
      return String(error)
    }
    return assert.unreachable('the law holds') ?? ''
  }
  assert.match(
    reported({ seed: 7 }),
    /granted privileges permit exactly .* \(order-is-adding-nothing, docs\/.*\)\nProperty failed after 1 tests\n\{ seed: 7, path: "/,
  )
  assert.match(reported({}), 'Counterexample: [{"grant_types":[],"scope":[],"data":false,"preferred_client_id":false,')
  const [again = ''] = /^\{ seed: 7, path: ".*$/m.exec(reported({ seed: 7 })) ?? []
  assert.match(reported({ seed: 7, path: /path: "(.*?)"/.exec(again)?.[1] }), again)
})

Wrong('metadata of which one wrong member is overlooked', () => {
  const rules: MetadataRules = {
    ...metadataRules,
    validate: (body) => {
      const { metadata, faults } = metadataRules.validate(body)
      return { metadata, faults: faults.filter(({ pointer }) => !pointer.startsWith('/logo_uri')) }
    },
  }
  const broken = brokenAmong(metadataFaultLaws)(rules, { seed: 1, numRuns: 1000 })
  assert.equal(
    broken.map(({ law }) => law.id),
    ['one-fault-is-told-once', 'every-fault-is-told'],
  )
  assert.equal(broken[1]?.counterexample, [['logo_uri']])
})

const brokenKeyLaws = (wrong: Partial<KeyRules>): ReadonlyArray<string> =>
  brokenAmong(keyLaws)({ ...keyRules, ...wrong }, parameters).map(({ law }) => law.id)

const readNow = ({ at, age }: LastRead): LastRead => ({ at: secondsAfter(at, age), age: 0 })

Wrong('a set that is cached as if its rings had just been read', () => {
  const maxAgeOf: KeyRules['maxAgeOf'] = (policy, rings) => (read) => keyRules.maxAgeOf(policy, rings)(readNow(read))
  assert.equal(brokenKeyLaws({ maxAgeOf }), [
    'set-expires-before-an-unread-key-signs',
    'set-is-published-without-the-store',
  ])
})

Wrong('a set that is not published when the last read of the store failed', () => {
  const maxAgeOf: KeyRules['maxAgeOf'] = (policy, rings) => (read) =>
    read.age > maxReadAge ? E.left({ error: 'unavailable' }) : keyRules.maxAgeOf(policy, rings)(read)
  assert.equal(brokenKeyLaws({ maxAgeOf }), ['set-is-published-without-the-store'])
})

Wrong('an instance that signs on rings of any age', () => {
  const permitSigning: KeyRules['permitSigning'] = (policy, read) => keyRules.permitSigning(policy, readNow(read))
  assert.equal(brokenKeyLaws({ permitSigning }), [
    'old-rings-do-not-sign',
    'ring-opens-by-the-time-of-the-store',
    'replaced-key-is-published-until-its-signatures-expire',
    'closed-ring-is-published-until-its-signatures-expire',
  ])
})

Wrong('keys that are forgotten as if every instance had read the change at once', () => {
  const early = maxReadAge + maxSkew
  const advance: KeyRules['advance'] = (policy, at) => (ring) => {
    const next = keyRules.advance(policy, at)(ring)
    const retired = next.retired.map((key) =>
      ring.retired.includes(key) ? key : { ...key, forgottenAt: secondsAfter(key.forgottenAt, -early) },
    )
    return { ...next, retired }
  }
  const forgottenAt: KeyRules['forgottenAt'] = (ring) => {
    const end = keyRules.forgottenAt(ring)
    return end === undefined ? undefined : secondsAfter(end, -early)
  }
  assert.equal(brokenKeyLaws({ advance }), ['replaced-key-is-published-until-its-signatures-expire'])
  assert.equal(brokenKeyLaws({ forgottenAt }), ['closed-ring-is-published-until-its-signatures-expire'])
})

Wrong('a new policy that does not remember the earlier one', () => {
  const advance: KeyRules['advance'] = (policy, at) => (ring) => {
    const { promised, cachedUntil } = newRing(policy, at)(ring.alg, ring.use, ring.current.key)
    return keyRules.advance(policy, at)({ ...ring, promised, cachedUntil })
  }
  assert.equal(brokenKeyLaws({ advance }), ['new-policy-waits-for-cached-sets'])
})

const brokenByDocuments = (wrong: Partial<DocumentRules>): ReadonlyArray<string> =>
  brokenAmong(documentLaws)({ ...documentRules, ...wrong }, { seed: 1, numRuns: 100 }).map(({ law }) => law.id)

Wrong('a document that is served for another URL is a client of that URL', () => {
  const wrong: DocumentRules['decideDocument'] = (settings) => (url, seen, approved) =>
    documentRules.decideDocument(settings)(
      url,
      seen.kind === 'answered' ? { ...seen, body: { ...Object(seen.body), client_id: url } } : seen,
      approved,
    )
  assert.equal(brokenByDocuments({ decideDocument: wrong }), ['a-document-names-its-own-url'])
})

Wrong('documents that are accepted without the rules of the service: the doors differ', () => {
  const wrong: DocumentRules['decideDocument'] = ({ policy, mode, outboundFetches }) =>
    documentRules.decideDocument({
      mode,
      outboundFetches,
      policy: { ceilings: policy.ceilings, metadata_documents: policy.metadata_documents ?? {} },
    })
  assert.equal(brokenByDocuments({ decideDocument: wrong }), [
    'a-document-is-judged-as-a-registration',
    'what-is-left-of-a-document-can-be-registered',
  ])
})

Wrong('a change of the document that nobody notices', () => {
  const wrong: DocumentRules['decideDocument'] = (settings) => (url, seen) =>
    documentRules.decideDocument(settings)(url, seen)
  assert.equal(brokenByDocuments({ decideDocument: wrong }), [
    'the-policy-answers-each-drift',
    'a-withdrawn-document-goes-on-only-by-policy',
    'an-unreachable-document-counts-for-a-time',
  ])
})

Wrong('what a server says about caching counts without bounds', () => {
  const freshnessOf: DocumentRules['freshnessOf'] = (_, cache) => Number(Object(cache)['max_age'] ?? 0)
  assert.equal(brokenByDocuments({ freshnessOf }), ['freshness-is-within-bounds'])
})

Wrong.run()
