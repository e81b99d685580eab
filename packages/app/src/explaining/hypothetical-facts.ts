import type { PresentedCredential, RegistrationScope } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { readStatement } from '@clientele/domain/operations'
import type { RegistrationFacts, RegistrationSettings } from '@clientele/domain/registration'
import { createSoftwareStatements } from '@clientele/adapters-jose'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { Config } from '../config/settings.js'
import { createCredentialGenerator, hashToken } from '@clientele/adapters-jose/node'

/** A hypothetical registration: with a token of these scope values, or without a token. */
export type Hypothesis = { readonly scope: O.Option<RegistrationScope>; readonly body: RegistrationFacts['body'] }

const anonymous: PresentedCredential = { kind: 'none' }

// Any key will do, because the hash is neither stored nor presented.
const hash = hashToken('hypothetical')

/** The facts that the service would find, with a new token of the scope values. */
export const hypotheticalFacts =
  (config: Config, settings: RegistrationSettings) =>
  ({ scope, body }: Hypothesis): T.Task<RegistrationFacts> =>
  async () => {
    const generator = createCredentialGenerator(
      {
        clientId: config['client-id-length'],
        clientSecret: config['client-secret-length'],
        registrationAccessToken: config['registration-access-token-length'],
      },
      hash,
    )
    const token = generator.initialAccessToken()
    const issued = generator.issue()
    return {
      body,
      issued,
      credential: O.isSome(scope) ? { kind: 'token', hash: token.hash } : anonymous,
      token: O.map((given: RegistrationScope) => ({
        ...given,
        hash: token.hash,
        expires_at: secondsAfter(issued.at, config['initial-access-token-lifetime']),
      }))(scope),
      statement: await readStatement(settings, createSoftwareStatements(config['software-statement-issuers']))(body)(),
    }
  }
