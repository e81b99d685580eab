import { unaudited } from '@clientele/domain/operations'
import {
  issued,
  oneSample,
  registeredClient,
  registrationSettings,
  shouldNotBeCalled,
  exampleOrigin,
  only,
  updateByCredential,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unlimited } from '../../src/ports/outside.js'
import type { PresentedCredential } from '../../src/authorization/credential.js'
import { noOperatorTokens } from '../support/no-operator-tokens.js'

const UpdateClient = suite('updateByCredential with a software statement')

UpdateClient('no signature is verified for a requester without authorization (401 and 404)', async () => {
  const { client_id, registration_access_token } = oneSample(registeredClient())
  const ports = {
    findClient: () => TE.right(O.none),
    findClientByToken: () => TE.right(O.none),
    issue: () => oneSample(issued()),
    ...noOperatorTokens,
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: shouldNotBeCalled,
    replaceClient: shouldNotBeCalled,
    drawFraction: shouldNotBeCalled,
    serialize: shouldNotBeCalled,
    pause: shouldNotBeCalled,
  }
  const body = E.right({ client_id, software_statement: 'e30.e30.e30' })
  const requested: ReadonlyArray<readonly [PresentedCredential, unknown]> = [
    [{ kind: 'none' }, 'missing_token'],
    [{ kind: 'unusable' }, 'invalid_token'],
    [{ kind: 'token', hash: registration_access_token.hash }, 'invalid_token'],
    [{ kind: 'master' }, 'unknown_client'],
  ]
  for (const [credential, error] of requested) {
    const refused = await updateByCredential(
      oneSample(registrationSettings()),
      only({ ...unaudited, ...unlimited, ...ports }),
    )({
      origin: exampleOrigin,
      credential,
      clientId: client_id,
      body,
    })()
    assert.is(E.isLeft(refused) && refused.left.error, error)
  }
})

UpdateClient.run()
