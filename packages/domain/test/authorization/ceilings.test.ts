import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeRegistrant, ceilingOf } from '../../src/authorization/authorize-registrant.js'
import { permitUpdate } from '../../src/authorization/permit-registration.js'
import {
  allPrivileges,
  intersection,
  isNothing,
  missingPrivileges,
  noPrivileges,
  permits,
  union,
} from '../../src/authorization/privileges.js'
import { noCeilings } from '../../src/policy/registration-policy.js'
import {
  ceilings,
  initialAccessToken,
  issued,
  law,
  presenting,
  privileges,
  registrationMode,
  validClientMetadata,
  validate,
} from '../../src/testing/index.js'

const Ceilings = suite('ceilings')
const it = law(Ceilings)
const any = privileges()
const metadata = validClientMetadata().map((body) => validate(body).metadata)

it('the intersection permits exactly what both permit', [any, any, any], (one, other, asked) =>
  assert.is(permits(intersection(one, other))(asked), permits(one)(asked) && permits(other)(asked)),
)

it(
  'intersection is commutative, associative and idempotent; top changes nothing, bottom all',
  [any, any, any],
  (a, b, c) => {
    assert.equal(intersection(a, b), intersection(b, a))
    assert.equal(intersection(intersection(a, b), c), intersection(a, intersection(b, c)))
    assert.equal(
      [intersection(a, a), intersection(a, allPrivileges), intersection(a, noPrivileges)],
      [a, a, noPrivileges],
    )
  },
)

it('union and intersection absorb each other', [any, any], (a, b) => {
  assert.equal(intersection(a, union(a, b)), a)
  assert.ok(isNothing(missingPrivileges(a)(union(a, intersection(a, b)))))
})

it(
  'under ceilings nobody holds more than without, and never more than the ceilings',
  [registrationMode(), ceilings(), initialAccessToken(), issued()],
  (mode, both, token, fresh) => {
    const { credential, token: found } = presenting(token, fresh, {})
    for (const who of [credential, { kind: 'none' as const }]) {
      const under = authorizeRegistrant(mode, both, fresh.at)(who, found)
      const free = authorizeRegistrant(mode, noCeilings, fresh.at)(who, found)
      assert.is(E.isRight(under), E.isRight(free))
      if (E.isLeft(under) || E.isLeft(free)) continue
      assert.ok(permits(free.right.held)(under.right.held))
      assert.ok(permits(ceilingOf(both, under.right.by))(under.right.held))
    }
  },
)

it('the master token has no ceiling', [registrationMode(), ceilings(), issued()], (mode, both, fresh) => {
  const authorized = authorizeRegistrant(mode, both, fresh.at)({ kind: 'master' }, O.none)
  assert.equal(E.isRight(authorized) && authorized.right.held, allPrivileges)
  assert.equal(ceilingOf(both, 'master'), allPrivileges)
})

it(
  'a lower ceiling never permits more in an update, and none at all permits what the privileges do',
  [any, any, any, metadata, metadata],
  (held, ceiling, lower, current, next) => {
    const permitted = (most: typeof ceiling) => E.isRight(permitUpdate(held, most, current)(next))
    assert.ok(!permitted(intersection(ceiling, lower)) || permitted(ceiling))
    assert.ok(!permitted(ceiling) || permitted(allPrivileges))
  },
)

it('what a client has is not kept above the ceiling', [fc.constantFrom('implicit', 'password'), any], (grant, held) => {
  const current = { ...validate({ grant_types: [] }).metadata, grant_types: [grant] }
  const ceiling = { ...allPrivileges, grant_types: ['authorization_code'] }
  assert.ok(E.isLeft(permitUpdate(held, ceiling, current)(current)))
})

Ceilings.run()
