import * as fc from 'fast-check'
import { clientFilter, exampleHash, exampleTime, law, searchedClients } from '@clientele/testing'
import type { TokenHash } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { RefusalReason, defaultLifeCycle, stateOf, useTime } from '../../src/life-cycle/states.js'
import {
  type ClientFilter,
  type FilterFacts,
  type ListedClient,
  describeClient,
  filterNames,
  filters,
  foldedText,
  listedClient,
  matches,
  ownFields,
  positionOf,
  positionText,
  searchTexts,
  trigramsOf,
} from '../../src/managing/filters.js'
import {
  type Rest,
  type Selecting,
  type Telling,
  decodeClientQuery,
  decodeListQuery,
  parameterTexts,
  queryParameters,
  readBulkRequest,
  readRefusalReason,
  restText,
  tellsNothing,
  tellsReason,
} from '../../src/managing/query.js'
import { clientOriginOf, clientOrigins } from '../../src/registration/provenance.js'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const Filters = suite('filters of clients')
const it = law(Filters)

const day = 86_400
const facts: FilterFacts = { now: secondsAfter(exampleTime, 200 * day), lifeCycle: defaultLifeCycle }

const unused = { last_use: undefined, parked: false }

const listed = (): fc.Arbitrary<ReadonlyArray<ListedClient>> =>
  fc.tuple(searchedClients(), fc.array(fc.option(fc.nat({ max: 200 })))).map(([clients, uses]) =>
    clients.map((client, place) => {
      const use = uses[place]
      const isUsed = use !== undefined && use !== null
      return listedClient(client, {
        last_use: isUsed ? useTime(secondsAfter(exampleTime, use * day)) : undefined,
        parked: !isUsed && place % 2 === 0,
      })
    }),
  )

const filtered = () => searchedClients().chain((clients) => fc.tuple(clientFilter(clients), clientFilter(clients)))

it('a filter with the members of two selects what both select', [listed(), filtered()], (clients, [one, other]) => {
  const both: ClientFilter = { ...one, ...other }
  const own = Object.fromEntries(Object.entries(one).filter(([name]) => !Object.hasOwn(other, name)))
  for (const client of clients)
    assert.is(matches(both, facts)(client), matches(own, facts)(client) && matches(other, facts)(client))
})

it('the empty filter selects every client; the states, and the origins, part them', [listed()], (clients) => {
  for (const client of clients) {
    assert.ok(matches({}, facts)(client))
    const state = stateOf(client, client.last_use, facts.now, facts.lifeCycle)
    for (const each of ['unused', 'active', 'idle', 'parked', 'pending', 'refused', 'suspended'] as const)
      assert.is(matches({ state: each }, facts)(client), each === state)
    for (const each of clientOrigins)
      assert.is(matches({ origin: each }, facts)(client), each === clientOriginOf(client))
    assert.is(matches({ never_used: true }, facts)(client), !matches({ never_used: false }, facts)(client))
  }
})

it(
  'each part of a text is found, in letters of either case; and all of its trigrams are in the text',
  [listed()],
  (clients) => {
    for (const client of clients)
      for (const text of searchTexts(client)) {
        if (Array.from(text).length < 3) continue
        assert.ok(matches({ q: text.toUpperCase() }, facts)(client) || foldedText(text.toUpperCase()) !== text)
        assert.ok(trigramsOf(text).every((trigram) => text.includes(trigram)))
      }
  },
)

it(
  'folding a folded text changes nothing, and leaves no control character',
  [fc.string({ unit: 'binary' })],
  (text) => {
    const folded = foldedText(text)
    assert.not.match(folded, /\p{Cc}/u)
    assert.ok(folded.isWellFormed())
  },
)

it(
  'a listed client has no credential, whatever fields are asked for',
  [searchedClients(), fc.subarray([...ownFields])],
  (clients, fields) => {
    for (const client of clients) {
      const text = JSON.stringify([
        describeClient(facts)(listedClient(client, unused)),
        describeClient(facts, fields)(listedClient(client, unused)),
      ])
      assert.not.ok(text.includes(client.registration_access_token.token))
      assert.not.ok(client.secret !== undefined && text.includes(client.secret.client_secret))
    }
  },
)

it(
  'fields choose the members, and client_id is always there',
  [listed(), fc.subarray([...ownFields])],
  (clients, fields) => {
    for (const client of clients) {
      const names = Object.keys(describeClient(facts, fields)(client))
      assert.ok(names.every((name) => name === 'client_id' || fields.includes(name)))
      assert.ok(names.includes('client_id'))
    }
  },
)

it(
  'decoding a query is total, and names an unknown parameter with the known ones',
  [fc.string(), fc.array(fc.string())],
  (name, values) => {
    const page = decodeListQuery({}, { [name]: values })
    if (E.isRight(page)) assert.ok(values.length === 0 || ['limit', 'after'].includes(name))
    const decoded = decodeClientQuery({ [name]: values })
    if (queryParameters.includes(name)) return
    assert.ok(E.isLeft(page))
    assert.ok(E.isLeft(decoded))
    for (const known of queryParameters) assert.match(decoded.left.error_description, known)
    assert.match(decoded.left.error_description, /^[\x20-\x7e]+$/)
  },
)

it(
  'a parameter with any text is decoded or refused by its name',
  [fc.constantFrom(...queryParameters), fc.string()],
  (name, value) => {
    const decoded = decodeClientQuery({ [name]: [value] })
    if (E.isLeft(decoded)) assert.match(decoded.left.error_description, `query parameter ${name} `)
    assert.ok(E.isLeft(decodeClientQuery({ [name]: [value, value] })))
  },
)

Filters('examples of queries', () => {
  const valueOf = (name: string, value: string): unknown => {
    const decoded = decodeClientQuery({ [name]: [value] })
    return E.isLeft(decoded) ? undefined : Object.entries(decoded.right.filter)[0]?.[1]
  }
  assert.is(valueOf('since', '2026-01-01'), 1_767_225_600)
  assert.is(valueOf('since', '2026-01-01T01:00:00+01:00'), 1_767_225_600)
  assert.is(valueOf('since', '1767225600'), 1_767_225_600)
  assert.is(valueOf('since', 'yesterday'), undefined)
  assert.is(valueOf('token', 'kQ0mW5lqk3TzUeJrM2vXo8yHc1bNd4fGs6aPi7wEtR9'), 'kQ0mW5lqk3Tz')
  assert.is(valueOf('q', 'ab'), undefined)
  assert.is(valueOf('state', 'gone'), undefined)
  assert.is(valueOf('never_used', 'false'), false)
  for (const fields of ['client_secret', 'registration_access_token', '', 'client_id,']) {
    assert.ok(E.isLeft(decodeClientQuery({ fields: [fields] })), fields)
  }
  const several = decodeClientQuery({ state: ['asleep'], since: ['yesterday'], limit: ['501'] })
  for (const name of ['state', 'since', 'limit'])
    assert.match(E.isLeft(several) ? several.left.error_description : '', `query parameter ${name} must be`)
  assert.ok(E.isLeft(decodeClientQuery({ limit: ['501'] })))
  assert.ok(E.isLeft(decodeClientQuery({ limit: ['0'] })))
  assert.ok(E.isRight(decodeClientQuery({ limit: ['500'], fields: ['client_name,state'] })))
  assert.equal(
    decodeListQuery({}, { limit: ['500'], after: [positionText(7)] }),
    E.right({ filter: {}, limit: 500, after: 7 }),
  )
  assert.ok(E.isLeft(decodeListQuery({}, { limit: ['501'] })))
  assert.ok(E.isLeft(decodeListQuery({}, { state: ['idle'] })))
})

Filters('each parameter has a text', () => {
  assert.equal(Object.keys(parameterTexts), [...queryParameters])
  assert.ok(filterNames.every((name) => queryParameters.includes(name)))
})

it(
  'a position is read as it was written, and no other text is one',
  [fc.maxSafeNat(), fc.string()],
  (position, text) => {
    assert.is(positionOf(positionText(position)), position)
    const read = positionOf(text)
    assert.ok(read === undefined || positionText(read) === text)
  },
)

// An ideal keyed digest: another one for each text and key.
const digests = new Map<string, TokenHash>()
const keyed =
  (key: string) =>
  (text: string): TokenHash => {
    const digest = digests.get(`${key} ${text}`) ?? exampleHash(`digest-${digests.size}`)
    digests.set(`${key} ${text}`, digest)
    return digest
  }

const selecting = (change: string): Selecting<ClientFilter> & Telling<undefined> => ({
  change,
  things: 'clients',
  parameters: filters,
  tells: tellsNothing,
})

const refusing = { ...selecting('refusal'), tells: tellsReason }

it('reading the body of a change is total, and refuses all clients at once', [fc.anything()], (body) => {
  const read = readBulkRequest(keyed('store'), selecting('removal'))(body)
  assert.ok(E.isLeft(read) || (Object.keys(read.right.filter).length > 0 && read.right.kind !== 'go_on'))
  assert.ok(E.isLeft(readBulkRequest(keyed('store'), selecting('removal'))({ filter: {}, dry_run: true })))
})

const rest = (): fc.Arbitrary<Rest> => fc.record({ count: fc.nat(), after: fc.nat(), until: fc.nat() })

it('a change counts, begins or goes on', [rest()], (left) => {
  const read = readBulkRequest(keyed('store'), selecting('removal'))
  const { count } = left
  const filter = { registered_by: 'nobody', never_used: true } as const
  const next = restText(keyed('store'), selecting('removal'))(filter, left)
  assert.equal(read({ filter, dry_run: true }), E.right({ kind: 'count', filter }))
  assert.equal(read({ filter, count }), E.right({ kind: 'begin', told: undefined, count, filter }))
  assert.equal(read({ filter, next }), E.right({ kind: 'go_on', told: undefined, ...left, filter }))
  assert.ok(E.isLeft(read({ filter, count, dry_run: true })))
  assert.ok(E.isLeft(read({ filter, dry_run: false })))
  assert.ok(E.isLeft(read({ filter: { ...filter, colour: 'red' }, count })))
})

it('a refusal of many says why, in every request that changes one', [rest(), fc.anything()], (left, reason) => {
  const read = readBulkRequest(keyed('store'), refusing)
  const filter = { state: 'pending' } as const
  const next = restText(keyed('store'), refusing)(filter, left)
  assert.equal(read({ filter, dry_run: true }), E.right({ kind: 'count', filter }))
  for (const asked of [{ count: 1 }, { next }]) {
    const found = read({ filter, ...asked, reason })
    assert.is(E.isRight(found), RefusalReason.is(reason))
    assert.is(E.isRight(readRefusalReason({ reason })), RefusalReason.is(reason))
    const why = read({ filter, ...asked, reason: 'Not now' })
    if (E.isLeft(why) || why.right.kind === 'count') throw new Error('it is a change')
    assert.is(why.right.told, 'Not now')
  }
  assert.ok(E.isLeft(readBulkRequest(keyed('store'), selecting('approval'))({ filter, count: 1, reason: 'Not now' })))
})

const change = () => fc.constantFrom('suspension' as const, 'resumption' as const, 'removal' as const)
const anyNext = () =>
  fc.oneof(
    fc.string(),
    fc
      .tuple(fc.nat(), fc.nat(), fc.nat(), fc.string())
      .map(
        ([count, after, until, seal]) =>
          `b2-${[count, after, until].map((each) => each.toString(36)).join('-')}-${seal}`,
      ),
  )

it('nobody makes up how a change goes on', [change(), anyNext()], (action, next) => {
  assert.ok(E.isLeft(readBulkRequest(keyed('store'), selecting(action))({ filter: { state: 'idle' }, next })))
})

it(
  'next goes on with its own change, filter, numbers and store alone',
  [filtered(), change(), change(), rest(), rest(), fc.constantFrom('store', 'other store')],
  ([filter, otherFilter], action, otherAction, left, otherLeft, key) => {
    fc.pre(Object.keys(filter).length > 0 && Object.keys(otherFilter).length > 0)
    const next = restText(keyed('store'), selecting(action))(filter, left)
    const numbers = [otherLeft.count, otherLeft.after, otherLeft.until].map((each) => each.toString(36)).join('-')
    const renumbered = next.replace(/^b2-[^-]+-[^-]+-[^-]+/, `b2-${numbers}`)
    const read = readBulkRequest(keyed(key), selecting(otherAction))
    const goesOn = (given: ClientFilter, text: string): boolean => E.isRight(read({ filter: given, next: text }))
    const isSame = action === otherAction && key === 'store'
    const isSameFilter = filterNames.every((name) => filter[name] === otherFilter[name])
    assert.is(goesOn(filter, next), isSame)
    assert.is(goesOn(otherFilter, next), isSame && isSameFilter)
    assert.is(goesOn(filter, renumbered), isSame && renumbered === next)
  },
)

Filters.run()
