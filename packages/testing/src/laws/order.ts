import * as assert from 'uvu/assert'
import { allPrivileges, noPrivileges } from '@clientele/domain/authorization'
import { privileges } from '../arbitraries/privileges.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { partByPart } from './part-by-part.js'

const any = privileges()
const privilegesAreALattice = 'docs/vocabulary.md (privileges)'

/** The order of privileges: requested ≤ granted. */
export const orderLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'order-reflexive',
    'privileges permit themselves',
    privilegesAreALattice,
    [any],
    ({ permits }) =>
      (granted) =>
        permits(granted)(granted),
  ),
  authorizationLaw(
    'order-antisymmetric',
    'two sets of privileges that permit each other are the same',
    privilegesAreALattice,
    [any, any],
    ({ permits, union }) =>
      (one, more) => {
        for (const part of partByPart(more, noPrivileges)) {
          const other = union(one, part)
          if (permits(one)(other) && permits(other)(one)) assert.equal(one, other)
        }
      },
  ),
  authorizationLaw(
    'order-transitive',
    'the order of privileges is transitive',
    privilegesAreALattice,
    [any, any, any],
    ({ permits, union }) =>
      (a, b, c) => {
        const low = a
        const middle = union(a, b)
        const high = union(union(a, b), c)
        assert.ok(permits(high)(middle) && permits(middle)(low) && permits(high)(low))
        if (permits(a)(b) && permits(b)(c)) assert.ok(permits(a)(c))
      },
  ),
  authorizationLaw(
    'order-bounded',
    'the empty set of privileges is always permitted, and all privileges permit every set',
    'specification §5.1',
    [any],
    ({ permits }) =>
      (some) =>
        permits(some)(noPrivileges) && permits(allPrivileges)(some),
  ),
  authorizationLaw(
    'order-is-adding-nothing',
    'granted privileges permit exactly the sets that add nothing to them',
    privilegesAreALattice,
    [any, any],
    ({ permits, union }) =>
      (granted, all) => {
        for (const requested of partByPart(all, noPrivileges)) {
          const addsNothing = JSON.stringify(union(granted, requested)) === JSON.stringify(granted)
          assert.is(permits(granted)(requested), addsNothing)
        }
      },
  ),
  authorizationLaw(
    'more-privileges-never-permit-less',
    'more privileges never permit less',
    'RFC 6749 §3.3',
    [any, any, any],
    ({ permits, union }) =>
      (granted, more, all) =>
        partByPart(all, noPrivileges).every(
          (requested) => !permits(granted)(requested) || permits(union(granted, more))(requested),
        ),
  ),
  authorizationLaw(
    'missing-nothing-is-permission',
    'no privileges are missing exactly when the request is permitted',
    'RFC 6750 §3.1',
    [any, any],
    ({ permits, missingPrivileges, isNothing }) =>
      (granted, all) => {
        for (const requested of partByPart(all, noPrivileges))
          assert.is(isNothing(missingPrivileges(granted)(requested)), permits(granted)(requested))
      },
  ),
  authorizationLaw(
    'missing-suffices',
    'with the missing privileges added, the request is permitted',
    'RFC 6750 §3.1',
    [any, any],
    ({ permits, union, missingPrivileges }) =>
      (granted, requested) =>
        permits(union(granted, missingPrivileges(granted)(requested)))(requested),
  ),
  authorizationLaw(
    'missing-is-least',
    'the missing privileges are the least that permit the request',
    'RFC 6750 §3.1',
    [any, any, any],
    ({ permits, union, missingPrivileges }) =>
      (granted, requested, added) =>
        !permits(union(granted, added))(requested) || permits(added)(missingPrivileges(granted)(requested)),
  ),
]
