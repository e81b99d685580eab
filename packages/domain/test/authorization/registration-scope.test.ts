import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Privileges } from '../../src/authorization/privileges.js'
import { allPrivileges, grantPrivilege, noPrivileges, permits } from '../../src/authorization/privileges.js'
import {
  namedGrantTypes,
  neededScopeValues,
  parseRegistrationScope,
  registrationScopeValues,
} from '../../src/authorization/registration-scope.js'
import { grantTypes } from '../../src/testing/arbitraries/privileges.js'

const RegistrationScope = suite('registration scope')

const privilegesOf = (scope: string): Privileges =>
  pipe(
    parseRegistrationScope(scope),
    E.match(
      () => assert.unreachable(`refused: ${scope}`),
      (parsed) => parsed.privileges,
    ),
  ) ?? noPrivileges

const permitted: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:scope:openid': { ...noPrivileges, scope: ['openid'] },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

for (const [value, expected] of Object.entries(permitted))
  RegistrationScope(`${value} permits what it names and nothing else`, () =>
    assert.equal(privilegesOf(value), expected),
  )

RegistrationScope('the fixed scope values are those of the table, no more', () => {
  const fixed = Object.keys(permitted).filter((value) => value !== 'client-reg:scope:openid')
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

RegistrationScope('client-reg is named as needed only for a grant type that no other scope value names', () => {
  for (const grantType of grantTypes)
    assert.is(
      neededScopeValues(grantPrivilege(grantType)).includes('client-reg'),
      grantType.endsWith('device_code'),
      grantType,
    )
})

RegistrationScope('the grant types that scope values name are those of the table, in its order', () => {
  const named = Object.values(permitted).flatMap(({ grant_types }) => (grant_types === 'any' ? [] : grant_types))
  assert.equal(namedGrantTypes, named)
  assert.is(namedGrantTypes.length, 7)
})

RegistrationScope('what is needed is the least: nothing for nothing, client-reg for any grant', () => {
  assert.equal(neededScopeValues(noPrivileges), [])
  assert.equal(neededScopeValues({ ...noPrivileges, grant_types: 'any' }), ['client-reg'])
  assert.equal(neededScopeValues({ ...noPrivileges, scope: 'any' }), ['client-reg:scope'])
  for (const [value, { grant_types }] of Object.entries(permitted))
    if (grant_types !== 'any' && grant_types.length > 0)
      assert.equal(neededScopeValues({ ...noPrivileges, grant_types }), [value])
})

RegistrationScope('a scope of 4096 characters is the longest, and what is wrong is said', () => {
  const longest = `client-reg:scope:${'a'.repeat(4096 - 17)}`
  assert.ok(E.isRight(parseRegistrationScope(longest)))
  const refused = parseRegistrationScope(`${longest}a`)
  assert.match(E.isLeft(refused) ? refused.left.error_description : '', /^scope is required: client-reg or /)
})

RegistrationScope.run()
