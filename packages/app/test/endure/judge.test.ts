// The judge of endurance runs reports each broken promise, and nothing else.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { accountOf } from './account.js'
import { type Entry, type Journal, newJournal } from './journal.js'
import { type Judgement, judge } from './judge.js'

const judging = suite('the judge of endurance runs')

const issued: Entry = { kind: 'issued', token: 't' }
const registered: Entry = { kind: 'registered', token: 't', id: 'a', credential: 'first', name: 't' }
const updated: Entry = { kind: 'updated', id: 'a', credential: 'second', name: 't updated' }
const deleted: Entry = { kind: 'deleted', id: 'a' }
const missing: Entry = { kind: 'missing', id: 'a' }
const refusedToken: Entry = { kind: 'token_refused', token: 't' }
const accepted = (credential: string): Entry => ({ kind: 'accepted', id: 'a', credential })
const refused = (credential: string): Entry => ({ kind: 'refused', id: 'a', credential })
const found = (name: string, id = 'a'): Entry => ({ kind: 'found', id, token: 't', name })

const valid: ReadonlyArray<readonly [string, ReadonlyArray<Entry>]> = [
  ['one registration of two', [issued, registered, refusedToken, found('t'), accepted('first')]],
  ['an update', [issued, registered, updated, refused('first'), accepted('second'), found('t updated')]],
  ['a deletion', [issued, registered, deleted, refused('first'), missing]],
  ['a registration in doubt', [issued, { kind: 'registration_in_doubt', token: 't' }, refusedToken, found('t')]],
  ['an update in doubt, not done', [registered, { kind: 'update_in_doubt', id: 'a' }, found('t'), accepted('first')]],
  ['an update in doubt, done', [registered, { kind: 'update_in_doubt', id: 'a' }, found('u'), refused('first')]],
  ['a deletion in doubt, not done', [registered, { kind: 'deletion_in_doubt', id: 'a' }, found('t')]],
  ['a deletion in doubt, done', [registered, { kind: 'deletion_in_doubt', id: 'a' }, missing, refused('first')]],
]

for (const [name, entries] of valid)
  judging(`${name} keeps every promise`, () =>
    assert.equal(judge(entries), { lost: [], usedTwice: [], oldAccepted: [] }),
  )

const broken: ReadonlyArray<readonly [string, keyof Judgement, ReadonlyArray<Entry>]> = [
  ['a lost registration', 'lost', [registered, missing]],
  [
    'a registration that is lost after an update in doubt',
    'lost',
    [registered, { kind: 'update_in_doubt', id: 'a' }, missing],
  ],
  ['a refused registration access token', 'lost', [registered, refused('first')]],
  ['a lost update', 'lost', [registered, updated, found('t')]],
  ['a lost deletion', 'lost', [registered, deleted, found('t')]],
  ['an initial access token that is lost', 'lost', [issued, refusedToken, refusedToken]],
  ['two acknowledged registrations', 'usedTwice', [registered, { ...registered, id: 'b' }]],
  ['a second registration that was not acknowledged', 'usedTwice', [registered, found('t'), found('t', 'b')]],
  ['a replaced registration access token', 'oldAccepted', [registered, updated, accepted('first')]],
  ['a removed registration access token', 'oldAccepted', [registered, deleted, accepted('first')]],
]

for (const [name, promise, entries] of broken)
  judging(`${name} breaks its promise`, () => {
    const judgement = judge(entries)
    assert.is(judgement[promise].length, 1)
    assert.is(Object.values(judgement).flat().length, 1)
  })

const journalWith = (changes: Partial<Journal>): Journal => ({
  ...newJournal(),
  keySets: { requested: 1, answered: 1 },
  ...changes,
})

judging('the account tells a broken promise', () => {
  assert.not.ok(accountOf(journalWith({ entries: [registered, found('t')] })).isBroken)
  const journals: ReadonlyArray<Partial<Journal>> = [
    { entries: [registered, missing] },
    { entries: [registered, registered, found('t', 'b')] },
    { entries: [registered, deleted, accepted('first')] },
    { keySets: { requested: 2, answered: 1 } },
    { keySets: { requested: 0, answered: 0 } },
    { unexpected: ['GET /clients/a: 500'] },
    { recoveries: [{ fault: 'failover', milliseconds: 2_001 }] },
  ]
  for (const each of journals) {
    const { text, isBroken } = accountOf(journalWith(each))
    assert.ok(isBroken, text)
    assert.match(text, '**broken**')
  }
})

judging.run()
