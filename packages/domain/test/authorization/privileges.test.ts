import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  allPrivileges,
  isNothing,
  missingPrivileges,
  noPrivileges,
  permits,
  union,
  unionOf,
} from '../../src/authorization/privileges.js'
import { law, privileges } from '../../src/testing/index.js'

const Privileges = suite('Privileges')
const it = law(Privileges)
const [one, two, three] = [privileges(), privileges(), privileges()]

it('union is associative', [one, two, three], (a, b, c) => assert.equal(union(union(a, b), c), union(a, union(b, c))))

it('union is commutative', [one, two], (a, b) => assert.equal(union(a, b), union(b, a)))

it('union is idempotent', [one], (a) => assert.equal(union(a, a), a))

it('nothing is the identity of union, and everything absorbs', [one], (a) => {
  assert.equal(union(a, noPrivileges), a)
  assert.equal(union(a, allPrivileges), allPrivileges)
})

it('the union of many is the union of each in turn, in any order', [one, two, three], (a, b, c) => {
  assert.equal(unionOf([a, b, c]), union(a, union(b, c)))
  assert.equal(unionOf([c, a, b]), unionOf([a, b, c]))
})

Privileges('the union of none is nothing', () => assert.equal(unionOf([]), noPrivileges))

it('the order is reflexive', [one], (a) => permits(a)(a))

it('the order is antisymmetric', [one, two], (a, b) => {
  if (permits(a)(b) && permits(b)(a)) assert.equal(a, b)
})

it('the order is transitive', [one, two, three], (a, b, c) => {
  const [low, middle, high] = [a, union(a, b), union(union(a, b), c)]
  assert.ok(permits(high)(middle) && permits(middle)(low) && permits(high)(low))
  if (permits(a)(b) && permits(b)(c)) assert.ok(permits(a)(c))
})

it('what is held permits exactly what adds nothing to it', [one, two], (held, asked) => {
  const addsNothing = JSON.stringify(union(held, asked)) === JSON.stringify(held)
  assert.is(permits(held)(asked), addsNothing)
})

it('union is the least that permits both', [one, two, three], (a, b, bound) => {
  assert.ok(permits(union(a, b))(a) && permits(union(a, b))(b))
  if (permits(bound)(a) && permits(bound)(b)) assert.ok(permits(bound)(union(a, b)))
})

it('nothing is permitted to anybody, and everything permits anything', [one], (a) => {
  assert.ok(permits(a)(noPrivileges) && permits(allPrivileges)(a))
})

it('with what is missing, the asked is permitted', [one, two], (held, asked) =>
  permits(union(held, missingPrivileges(held)(asked)))(asked),
)

it('what is missing is the least that has to be added', [one, two, three], (held, asked, added) => {
  if (permits(union(held, added))(asked)) assert.ok(permits(added)(missingPrivileges(held)(asked)))
})

it('nothing is missing exactly when the asked is permitted', [one, two], (held, asked) =>
  assert.is(isNothing(missingPrivileges(held)(asked)), permits(held)(asked)),
)

it('more privileges never permit less', [one, two, three], (held, more, asked) => {
  if (permits(held)(asked)) assert.ok(permits(union(held, more))(asked))
})

Privileges('a set of one value that is spelled any is not the set of all values', () => {
  const spelled = { ...noPrivileges, scope: ['any'] }
  assert.not(permits(spelled)({ ...noPrivileges, scope: ['openid'] }))
  assert.not(permits(spelled)({ ...noPrivileges, scope: 'any' }))
})

Privileges.run()
