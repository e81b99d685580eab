import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RegisteredBy, TokenHash } from '../../src/authorization/credential.js'

const Hash = suite('TokenHash')

Hash('a digest is 16 to 128 characters of base64url, from the first to the last', () => {
  for (const text of ['a'.repeat(16), 'Zz09-_'.repeat(7), '_'.repeat(128)]) assert.ok(TokenHash.is(text), text)
  for (const text of [
    'a'.repeat(15),
    'a'.repeat(129),
    ` ${'a'.repeat(16)}`,
    `${'a'.repeat(16)}\n`,
    `${'a'.repeat(16)}=`,
    7,
  ])
    assert.not.ok(TokenHash.is(text), String(text))
})

Hash('a client is registered by nobody, by a token or by the master token', () => {
  for (const by of ['nobody', 'token', 'operator_token', 'master']) assert.ok(RegisteredBy.is(by), by)
  for (const by of ['', 'somebody', 7, undefined]) assert.not.ok(RegisteredBy.is(by), String(by))
})

Hash.run()
