import * as assert from 'uvu/assert'
import { allPrivileges, noPrivileges } from '@clientele/domain'
import { privileges } from '../arbitraries/privileges.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { partByPart } from './part-by-part.js'

const any = privileges()
const privilegesAreALattice = 'docs/vocabulary.md (privileges)'

/** When one thing is permitted by another: asked ≤ held. */
export const orderLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'order-reflexive',
    'whatever is held permits itself',
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
    'what is permitted by something permitted is permitted',
    privilegesAreALattice,
    [any, any, any],
    ({ permits, union }) =>
      (a, b, c) => {
        const [low, middle, high] = [a, union(a, b), union(union(a, b), c)]
        assert.ok(permits(high)(middle) && permits(middle)(low) && permits(high)(low))
        if (permits(a)(b) && permits(b)(c)) assert.ok(permits(a)(c))
      },
  ),
  authorizationLaw(
    'order-bounded',
    'nothing is permitted to anybody, and everything permits anything',
    'specification §5.1',
    [any],
    ({ permits }) =>
      (some) =>
        permits(some)(noPrivileges) && permits(allPrivileges)(some),
  ),
  authorizationLaw(
    'order-is-adding-nothing',
    'what is held permits exactly what adds nothing to it',
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
    'nothing is missing exactly when the asked is permitted',
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
    'with what is missing, the asked is permitted',
    'RFC 6750 §3.1',
    [any, any],
    ({ permits, union, missingPrivileges }) =>
      (granted, requested) =>
        permits(union(granted, missingPrivileges(granted)(requested)))(requested),
  ),
  authorizationLaw(
    'missing-is-least',
    'what is missing is the least that has to be added',
    'RFC 6750 §3.1',
    [any, any, any],
    ({ permits, union, missingPrivileges }) =>
      (granted, requested, added) =>
        !permits(union(granted, added))(requested) || permits(added)(missingPrivileges(granted)(requested)),
  ),
]
