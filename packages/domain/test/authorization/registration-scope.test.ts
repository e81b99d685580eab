import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Privileges,
  namedGrantTypes,
  noPrivileges,
  parseRegistrationScope,
  permits,
  registrationScopeValues,
} from '../../src/authorization/registrant.js'
import { grantTypesByScopeValue, permittedByScopeValue } from '@clientele/testing'

const RegistrationScope = suite('registration scope')

const privilegesOf = (scope: string): Privileges =>
  pipe(
    parseRegistrationScope(scope),
    E.match(
      () => assert.unreachable(`refused: ${scope}`),
      (parsed) => parsed.privileges,
    ),
  ) ?? noPrivileges

RegistrationScope('the fixed scope values are those of the table, no more', () => {
  const fixed = Object.keys(permittedByScopeValue).filter((value) => value !== 'client-reg:scope:openid')
  assert.equal([...registrationScopeValues].sort(), fixed.sort())
})

RegistrationScope('a prefix of a scope value does not permit it, nor does another case', () => {
  for (const value of ['open', 'openid2', 'OPENID', '', 'openid email'])
    assert.not(permits(privilegesOf('client-reg:scope:openid'))({ ...noPrivileges, scope: [value] }), value)
})

for (const refused of [
  'client-reg:scope:',
  'client-reg:scope:openid client-reg:scope:',
  'client-reg:',
  'client-reg:grant',
  'client-reg:grant:',
  'client-reg:grant:device',
  'client-reg:grant:authorization_code',
  'CLIENT-REG',
  'Client-Reg:Data',
  'client-reg:data:',
  'openid',
  'client-reg openid',
  '',
  ' ',
  ' client-reg',
  'client-reg ',
  'client-reg  client-reg:data',
  'client-reg\tclient-reg:data',
  'client-reg\n',
  'client-reg,client-reg:data',
  'client-reg:scope:a"b',
  'client-reg:scope:a\\b',
  'client-reg:scope:é',
  'constructor',
  '__proto__',
  'toString',
  `client-reg:scope:${'x'.repeat(4096)}`,
])
  RegistrationScope(`${JSON.stringify(refused.slice(0, 40))} is refused as invalid_scope`, () => {
    const parsed = parseRegistrationScope(refused)
    assert.equal(E.isLeft(parsed) && [parsed.left.error, parsed.left.errors[0].pointer], ['invalid_scope', '/scope'])
  })

RegistrationScope('the grant types that scope values name are those of the table, in its order', () => {
  assert.equal(namedGrantTypes, grantTypesByScopeValue)
  assert.is(namedGrantTypes.length, 7)
})

RegistrationScope('a scope of 4096 characters is the longest, and what is wrong is said', () => {
  const longest = `client-reg:scope:${'a'.repeat(4096 - 17)}`
  assert.ok(E.isRight(parseRegistrationScope(longest)))
  const refused = parseRegistrationScope(`${longest}a`)
  assert.match(E.isLeft(refused) ? refused.left.error_description : '', /^scope is required: client-reg or /)
})

RegistrationScope.run()
