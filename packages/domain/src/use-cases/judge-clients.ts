import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator } from '../authorization/operator.js'
import { type InvalidRequest, invalidRequest } from '../errors.js'
import { decodeRegistrationPolicy } from '../policy/decode-registration-policy.js'
import { type JudgedClient, judgedClient } from '../registration/judge-stored-client.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import type { ClientList } from './list-clients.js'

export type JudgeClientsRequest = {
  readonly operator: Operator<'clients:read'>
  /** The JSON of the proposed policy. */
  readonly body: E.Either<InvalidRequest, unknown>
}

const policyOf = (body: unknown): E.Either<InvalidRequest, RegistrationPolicy> =>
  pipe(
    decodeRegistrationPolicy(body),
    E.mapLeft(() => invalidRequest('The body must be a registration policy')),
  )

/** Judges all clients by a proposed policy, and changes nothing. */
export const judgeClients =
  (settings: RegistrationSettings, ports: Pick<ClientRegistry, 'streamClients'>) =>
  (request: JudgeClientsRequest): E.Either<InvalidRequest, ClientList<JudgedClient>> =>
    pipe(
      request.body,
      E.flatMap(policyOf),
      E.map((policy) => ({ clients: ports.streamClients(), informationOf: judgedClient({ ...settings, policy }) })),
    )
