import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUpdateRequest } from '../../src/client/update-request.js'
import { everyFaultOf, registeredClient, sent, standardRules } from '../../src/testing/index.js'
import { oneSample } from '../../src/testing/one-sample.js'

const UpdateRequest = suite('decodeUpdateRequest')

UpdateRequest('each fault that a registration tells, an update tells', () => {
  const decode = decodeUpdateRequest(standardRules, oneSample(registeredClient()))
  for (const { body, fault } of everyFaultOf({})) {
    const decoded = decode(sent(body))
    const told = E.isLeft(decoded) ? (decoded.left.errors ?? []) : []
    assert.equal(
      told.map(({ pointer, rule }) => `${pointer}: ${rule}`),
      [`${fault.pointer}: ${fault.rule}`],
    )
  }
})

UpdateRequest.run()
