import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { algorithmMembers, contentMembers, isMemberName, members } from '../../src/client/members.js'

const Members = suite('properties of members')

const namesLike = (pattern: RegExp) =>
  Object.keys(members)
    .filter(isMemberName)
    .filter((name) => pattern.test(name))

Members('every member that names an algorithm says whose key pair it takes (OpenID Core §10)', () => {
  assert.equal([...algorithmMembers], namesLike(/_alg$/))
})

Members('every content encryption names the key encryption that it requires (OpenID Registration §2)', () => {
  assert.equal([...contentMembers], namesLike(/_enc$/))
  for (const enc of contentMembers) assert.is(members[enc].alg, enc.replace(/enc$/, 'alg'))
})

Members.run()
