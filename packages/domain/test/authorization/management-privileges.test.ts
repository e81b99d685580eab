import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law, managementPrivileges } from '@clientele/testing'
import {
  allManagementPrivileges,
  intersectionOfManagement,
  isManagementPrivilege,
  issuableManagementPrivileges,
  managementScope,
  missingManagement,
  noManagementPrivileges,
  parseManagementPrivileges,
  permitsManagement,
  unionOfManagement,
} from '../../src/authorization/credential.js'
import { ruleTexts } from '../../src/kernel/all-rules.js'

const Management = suite('management privileges')
const it = law(Management)
const some = managementPrivileges()

it('any input is read as privileges or refused', [fc.anything()], (input) => {
  const read = parseManagementPrivileges(input)
  if (O.isSome(read)) assert.equal(parseManagementPrivileges(managementScope(read.value)), read)
})

it(
  'any text is read exactly where each of its values is a privilege',
  [fc.array(fc.oneof(fc.string(), fc.constantFrom(...allManagementPrivileges)))],
  (values) => {
    const text = values.join(' ')
    const isRead = text.split(' ').every(isManagementPrivilege)
    assert.is(O.isSome(parseManagementPrivileges(text)), isRead)
  },
)

it(
  'the union is the least that includes both, and the intersection the greatest in both',
  [some, some, some],
  (one, other, any) => {
    const union = unionOfManagement(one, other)
    const common = intersectionOfManagement(one, other)
    assert.is(permitsManagement(any)(union), permitsManagement(any)(one) && permitsManagement(any)(other))
    assert.is(permitsManagement(common)(any), permitsManagement(one)(any) && permitsManagement(other)(any))
  },
)

it(
  'union and intersection are commutative, associative, idempotent and absorb each other',
  [some, some, some],
  (a, b, c) => {
    for (const [join, meet] of [
      [unionOfManagement, intersectionOfManagement],
      [intersectionOfManagement, unionOfManagement],
    ] as const) {
      assert.equal(join(a, b), join(b, a))
      assert.equal(join(join(a, b), c), join(a, join(b, c)))
      assert.equal(join(a, a), a)
      assert.equal(join(a, meet(a, b)), a)
    }
    assert.equal(unionOfManagement(a, noManagementPrivileges), a)
    assert.equal(intersectionOfManagement(a, allManagementPrivileges), a)
  },
)

it('what is missing, and no less, permits the operation when it is added', [some, some], (granted, needed) => {
  const missing = missingManagement(granted)(needed)
  assert.ok(permitsManagement(unionOfManagement(granted, missing))(needed))
  assert.equal(intersectionOfManagement(granted, missing), noManagementPrivileges)
})

Management('an operator token can have every privilege but that of operators', () => {
  assert.equal(unionOfManagement(issuableManagementPrivileges, ['operators']), allManagementPrivileges)
  assert.not.ok(issuableManagementPrivileges.includes('operators'))
})

Management('the rule of a scope names every privilege that can be issued, and no other', () => {
  const listed = ruleTexts['operator-scope'].text.replace(/^.* of /, '').split(', ')
  assert.equal(listed, issuableManagementPrivileges)
})

Management.run()
