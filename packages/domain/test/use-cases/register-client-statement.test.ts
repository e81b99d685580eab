import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { invalidToken, missingToken } from '../../src/errors.js'
import { issued, oneSample, registrationSettings, shouldNotBeCalled } from '@clientele/testing'
import { registerClient } from '../../src/use-cases/register-client.js'
import { noOperatorTokens } from '../support/no-operator-tokens.js'

const RegisterClient = suite('registerClient with a software statement')

RegisterClient('no signature is verified for a registrant without authorization (401)', async () => {
  const set = { ...oneSample(registrationSettings()), mode: { kind: 'managed' as const } }
  const ports = {
    ...noOperatorTokens,
    findInitialAccessToken: () => TE.right(O.none),
    issue: () => oneSample(issued()),
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: shouldNotBeCalled,
    addClient: shouldNotBeCalled,
  }
  const body = E.right({ software_statement: 'e30.e30.e30' })
  const requested = [
    [{ kind: 'none' as const }, missingToken],
    [{ kind: 'unusable' as const }, invalidToken],
  ] as const
  for (const [credential, refusal] of requested)
    assert.equal(await registerClient(set, ports)({ credential, body })(), E.left(refusal))
})

RegisterClient.run()
