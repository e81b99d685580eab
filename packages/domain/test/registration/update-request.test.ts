import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUpdateRequest } from '../../src/registration/configuration.js'
import { everyFaultOf, oneSample, registeredClient, sent, standardRules } from '@clientele/testing'

const UpdateRequest = suite('decodeUpdateRequest')

UpdateRequest('each fault that a registration tells, an update tells', () => {
  const decode = decodeUpdateRequest(standardRules, oneSample(registeredClient()))
  for (const { body, fault } of everyFaultOf({})) {
    const decoded = decode(sent(body))
    const reported = E.isLeft(decoded) ? (decoded.left.errors ?? []) : []
    assert.equal(
      reported.map(({ pointer, rule }) => `${pointer}: ${rule}`),
      [`${fault.pointer}: ${fault.rule}`],
    )
  }
})

UpdateRequest.run()
