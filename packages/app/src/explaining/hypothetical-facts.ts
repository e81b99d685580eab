import {
  type PresentedCredential,
  type RegistrationFacts,
  type RegistrationScope,
  type RegistrationSettings,
  readStatement,
  secondsAfter,
} from '@clientele/domain'
import { createSoftwareStatements } from '@clientele/adapters-jose'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { Config } from '../config/settings.js'
import { clientIdBeginning } from '@clientele/adapters-sqlite'
import { createCredentialGenerator, hashToken } from '@clientele/adapters-jose/node'

/** A registration that somebody might ask for: with a token of these scope values, or by nobody. */
export type Hypothesis = { readonly scope: O.Option<RegistrationScope>; readonly body: RegistrationFacts['body'] }

const anonymous: PresentedCredential = { kind: 'none' }

// Nothing of it is stored or presented anywhere, so that any key will do.
const hash = hashToken('hypothetical')

/** The facts as the service would find them, with a fresh token that has the scope values. */
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
      clientIdBeginning,
    )
    const [token, issued] = [generator.initialAccessToken(), generator.issue()]
    return {
      body,
      issued,
      credential: O.isSome(scope) ? { kind: 'token', hash: token.hash } : anonymous,
      token: O.map((given: RegistrationScope) => ({
        ...given,
        hash: token.hash,
        expires_at: secondsAfter(issued.at, config['initial-access-token-lifetime']),
        consumed: false,
      }))(scope),
      statement: await readStatement(settings, createSoftwareStatements(config['software-statement-issuers']))(body)(),
    }
  }
