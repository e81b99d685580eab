import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { MasterRefusal } from '../authorization/authorize-master.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { InvalidRequest, Unavailable } from '../errors.js'
import { invalidRequest } from '../errors.js'
import { decodeRegistrationPolicy } from '../policy/decode-policy.js'
import type { JudgedClient } from '../registration/judge-client.js'
import { judgedClient } from '../registration/judge-client.js'
import type { RegistrationPolicy } from '../policy/registration-policy.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import type { ClientList } from './list-clients.js'
import type { RequireMasterPorts } from './steps/require-master.js'
import { requireMaster } from './steps/require-master.js'

export type JudgeClientsRequest = {
  readonly credential: PresentedCredential
  /** The proposed policy, as it stands in its file. */
  readonly body: E.Either<InvalidRequest, unknown>
}

export type JudgeClientsError = MasterRefusal | InvalidRequest | Unavailable

const policyOf = (body: unknown): E.Either<InvalidRequest, RegistrationPolicy> =>
  pipe(
    decodeRegistrationPolicy(body),
    E.mapLeft(() => invalidRequest('The body must be a registration policy')),
  )

/** Every client under a proposed policy, with what it would fall for; nothing is changed. */
export const judgeClients =
  (settings: RegistrationSettings, ports: RequireMasterPorts & Pick<ClientRegistry, 'streamClients'>) =>
  (request: JudgeClientsRequest): TE.TaskEither<JudgeClientsError, ClientList<JudgedClient>> =>
    pipe(
      requireMaster(ports)(request.credential),
      TE.flatMapEither((): E.Either<InvalidRequest, unknown> => request.body),
      TE.flatMapEither(policyOf),
      TE.map((policy) => ({ clients: ports.streamClients(), informationOf: judgedClient({ ...settings, policy }) })),
    )
