import * as assert from 'uvu/assert'
import { allPrivileges, noPrivileges } from '@clientele/domain/authorization'
import { privileges } from '../arbitraries/privileges.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { partByPart } from './part-by-part.js'

const any = privileges()
const policyIsData = 'docs/decisions/0018-a-policy-is-data.md'

const unionLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'union-associative',
    'the union of privileges is associative',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ union }) =>
      (a, b, c) =>
        assert.equal(union(union(a, b), c), union(a, union(b, c))),
  ),
  authorizationLaw(
    'union-commutative',
    'the union of privileges is commutative',
    'RFC 6749 §3.3',
    [any, any],
    ({ union }) =>
      (a, b) =>
        assert.equal(union(a, b), union(b, a)),
  ),
  authorizationLaw(
    'union-idempotent',
    'the union of privileges with themselves is the same',
    'RFC 6749 §3.3',
    [any],
    ({ union }) =>
      (a) =>
        assert.equal(union(a, a), a),
  ),
  authorizationLaw(
    'union-bounded',
    'the empty set adds no privileges, and no set adds to all privileges',
    'specification §5.1',
    [any],
    ({ union }) =>
      (a) =>
        assert.equal([union(a, noPrivileges), union(a, allPrivileges)], [a, allPrivileges]),
  ),
  authorizationLaw(
    'union-is-least',
    'the union is the least that permits both',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ union, permits }) =>
      (a, b, bound) => {
        assert.ok(permits(union(a, b))(a) && permits(union(a, b))(b))
        if (permits(bound)(a) && permits(bound)(b)) assert.ok(permits(bound)(union(a, b)))
      },
  ),
  authorizationLaw(
    'union-of-many',
    'the union of many is the union of each in turn, in any order',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ union, unionOf }) =>
      (a, b, c) => {
        assert.equal(unionOf([a, b, c]), union(a, union(b, c)))
        assert.equal(unionOf([c, a, b]), unionOf([a, b, c]))
      },
  ),
]

const intersectionLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'intersection-permits-what-both-permit',
    'the intersection permits exactly what both permit',
    policyIsData,
    [any, any, any],
    ({ intersection, permits }) =>
      (one, other, all) => {
        for (const requested of partByPart(all, noPrivileges))
          assert.is(permits(intersection(one, other))(requested), permits(one)(requested) && permits(other)(requested))
      },
  ),
  authorizationLaw(
    'intersection-semilattice',
    'the intersection of privileges is associative, commutative and idempotent',
    policyIsData,
    [any, any, any],
    ({ intersection }) =>
      (a, b, c) => {
        assert.equal(intersection(a, b), intersection(b, a))
        assert.equal(intersection(intersection(a, b), c), intersection(a, intersection(b, c)))
        assert.equal(intersection(a, a), a)
      },
  ),
  authorizationLaw(
    'intersection-bounded',
    'a ceiling of all privileges removes none, and an empty ceiling removes all',
    policyIsData,
    [any],
    ({ intersection }) =>
      (a) =>
        assert.equal([intersection(a, allPrivileges), intersection(a, noPrivileges)], [a, noPrivileges]),
  ),
  authorizationLaw(
    'union-and-intersection-absorb',
    'union and intersection absorb each other',
    policyIsData,
    [any, any],
    ({ union, intersection }) =>
      (a, b) => {
        assert.equal(intersection(a, union(a, b)), a)
        assert.equal(union(a, intersection(a, b)), a)
      },
  ),
]

/** The union and the intersection of two sets of privileges. */
export const boundLaws: ReadonlyArray<AuthorizationLaw> = [...unionLaws, ...intersectionLaws]
