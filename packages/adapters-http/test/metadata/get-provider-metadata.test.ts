import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getProviderMetadata } from '../../src/metadata/get-provider-metadata.js'
import { httpRequest, membersOf } from '../support/http-request.js'
import { httpSettings } from '../support/in-memory-ports.js'

const metadata = suite('provider metadata')

metadata('issuer is the base URL exactly, and the registration endpoint is absolute (RFC 8414 §2)', async () => {
  const answer = await getProviderMetadata(httpSettings())(httpRequest())()
  assert.equal([answer.status, answer.headers], [200, { 'Content-Type': 'application/json' }])
  const members = membersOf(answer)
  assert.is(members['issuer'], 'https://op.example')
  assert.is(members['registration_endpoint'], 'https://op.example/clients')
})

metadata('no member is null, which readers refuse', async () => {
  const answer = await getProviderMetadata(httpSettings())(httpRequest())()
  assert.not.ok(Object.values(membersOf(answer)).includes(null))
})

metadata.run()
