import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noPrivileges, permits, unionOf } from '../../src/authorization/registrant.js'

const Privileges = suite('Privileges')

Privileges('the union of none is nothing', () => assert.equal(unionOf([]), noPrivileges))

Privileges('a set of one value that is spelled any is not the set of all values', () => {
  const spelled = { ...noPrivileges, scope: ['any'] }
  assert.not(permits(spelled)({ ...noPrivileges, scope: ['openid'] }))
  assert.not(permits(spelled)({ ...noPrivileges, scope: 'any' }))
})

Privileges.run()
