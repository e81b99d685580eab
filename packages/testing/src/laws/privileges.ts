import * as assert from 'uvu/assert'
import { type Privileges, allPrivileges, noPrivileges } from '@clientele/domain/authorization'
import { privileges } from '../arbitraries/privileges.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'

const any = privileges()
const privilegesAreALattice = 'docs/vocabulary.md (privileges)'

/** The order of privileges: requested ≤ granted. */
export const orderLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'order-reflexive',
    'privileges permit themselves',
    privilegesAreALattice,
    [any],
    ({ permits }, granted) => permits(granted)(granted),
  ),
  authorizationLaw(
    'order-antisymmetric',
    'two sets of privileges that permit each other are the same',
    privilegesAreALattice,
    [any, any],
    ({ permits, union }, one, more) => {
      for (const part of partByPart(more, noPrivileges)) {
        const other = union(one, part)
        if (permits(one)(other) && permits(other)(one)) assert.equal(one, other)
      }
    },
  ),
  authorizationLaw(
    'order-is-adding-nothing',
    'granted privileges permit exactly the sets that add nothing to them',
    privilegesAreALattice,
    [any, any],
    ({ permits, union }, granted, all) => {
      for (const requested of partByPart(all, noPrivileges)) {
        const addsNothing = JSON.stringify(union(granted, requested)) === JSON.stringify(granted)
        assert.is(permits(granted)(requested), addsNothing)
      }
    },
  ),
  authorizationLaw(
    'missing-nothing-is-permission',
    'no privileges are missing exactly when the request is permitted',
    'RFC 6750 §3.1',
    [any, any],
    ({ permits, missingPrivileges, isNothing }, granted, all) => {
      for (const requested of partByPart(all, noPrivileges))
        assert.is(isNothing(missingPrivileges(granted)(requested)), permits(granted)(requested))
    },
  ),
  authorizationLaw(
    'missing-is-least',
    'the missing privileges are the least that permit the request',
    'RFC 6750 §3.1',
    [any, any, any],
    ({ permits, union, missingPrivileges }, granted, requested, added) =>
      !permits(union(granted, added))(requested) || permits(added)(missingPrivileges(granted)(requested)),
  ),
]

const parts = ['grant_types', 'scope', 'data', 'preferred_client_id', 'preferred_client_secret'] as const

/** The privileges, and each part of them alone with the other parts as given: so that every part decides some cases. */
export const partByPart = (whole: Privileges, rest: Privileges): ReadonlyArray<Privileges> => [
  whole,
  ...parts.map((part) => ({ ...rest, [part]: whole[part] })),
]

const policyIsData = 'docs/decisions/0018-a-policy-is-data.md'

const unionLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'union-associative',
    'the union of privileges is associative',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ union }, a, b, c) => assert.equal(union(union(a, b), c), union(a, union(b, c))),
  ),
  authorizationLaw(
    'union-commutative',
    'the union of privileges is commutative',
    'RFC 6749 §3.3',
    [any, any],
    ({ union }, a, b) => assert.equal(union(a, b), union(b, a)),
  ),
  authorizationLaw(
    'union-idempotent',
    'the union of privileges with themselves is the same',
    'RFC 6749 §3.3',
    [any],
    ({ union }, a) => assert.equal(union(a, a), a),
  ),
  authorizationLaw(
    'union-bounded',
    'the empty set adds no privileges, and no set adds to all privileges',
    'specification §5.1',
    [any],
    ({ union }, a) => assert.equal([union(a, noPrivileges), union(a, allPrivileges)], [a, allPrivileges]),
  ),
  authorizationLaw(
    'union-of-many',
    'the union of many is the union of each in turn, in any order',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ union, unionOf }, a, b, c) => {
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
    ({ intersection, permits }, one, other, all) => {
      for (const requested of partByPart(all, noPrivileges))
        assert.is(permits(intersection(one, other))(requested), permits(one)(requested) && permits(other)(requested))
    },
  ),
]

/** The union and the intersection of two sets of privileges. */
export const boundLaws: ReadonlyArray<AuthorizationLaw> = [...unionLaws, ...intersectionLaws]
