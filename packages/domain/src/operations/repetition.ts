// Registrations that are requested again: of an unused client, and with an Idempotency-Key.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type AuditActor, type AuditRow, changedMembers } from '../audit/entries.js'
import type { TokenHash } from '../authorization/credential.js'
import type { IdempotencyConflict, IdempotencyKeyReused, Unavailable } from '../kernel/refusals.js'
import type { CredentialGenerator, Turns } from '../ports/outside.js'
import type {
  ClientChanged,
  ClientRegistry,
  ClientUses,
  RefusedAddition,
  RegisteredBefore,
  RegistryLimits,
} from '../ports/store.js'
import type { DecidedRegistration, RegistrationSettings } from '../registration/decide.js'
import { type RegisteredClient, withGeneratedToken } from '../registration/registered-client.js'
import {
  type HashText,
  type KeyedRegistration,
  type KeyedRequest,
  decideRepetition,
  fingerprintText,
  keyedRegistration,
  keyedRequest,
  repeats,
} from '../registration/repetition.js'
import { type AuditPorts, type WithOrigin, audited } from './audit.js'
import { confirmed, serializeOnConflict } from './changing.js'

/** What a registration needs that repeats an unused one. */
export type RepeatedRegistrationPorts = Pick<ClientRegistry, 'replaceClient'> &
  Pick<ClientUses, 'findUnused'> &
  Turns & { readonly hashToken: (text: string) => TokenHash }

/** Without the ports for repeated registrations, each registration adds a client. */
export type AddClientPorts = Pick<ClientRegistry, 'addClient'> & Partial<RepeatedRegistrationPorts> & AuditPorts

export const limitsOf = ({ policy }: Pick<RegistrationSettings, 'policy'>): RegistryLimits => ({
  clients: policy.maximum_clients ?? Infinity,
  unusedOpenClients: policy.maximum_unused_open_clients ?? Infinity,
})

/** Who registers, and from where. */
type Requested = WithOrigin & {
  readonly actor: AuditActor
  readonly ownAddress: string | undefined
  readonly keyed?: KeyedRequest | undefined
}

type Addition = DecidedRegistration & {
  readonly keyed: KeyedRegistration | undefined
  readonly fingerprint: TokenHash | undefined
  readonly requested: Requested
}

export type RefusedClient = Exclude<RefusedAddition, RegisteredBefore> | Unavailable

type Repeating = AddClientPorts & RepeatedRegistrationPorts

const repeatingPorts = [
  'hashToken',
  'findUnused',
  'replaceClient',
  'serialize',
  'pause',
  'drawFraction',
] as const satisfies ReadonlyArray<keyof RepeatedRegistrationPorts>

const canRepeat = (ports: AddClientPorts): ports is Repeating =>
  repeatingPorts.every((name) => ports[name] !== undefined)

/** The ports, if registrations repeat others here. */
const repeatingBy = ({ mode, policy }: RegistrationSettings, ports: AddClientPorts): Repeating | undefined =>
  mode.kind === 'open' && (policy.reuse_unused_registrations ?? true) && canRepeat(ports) ? ports : undefined

const fingerprintBy = (
  ports: Repeating | undefined,
): ((client: RegisteredClient, address: string | undefined) => TokenHash | undefined) => {
  if (ports === undefined) return () => undefined
  return (client, address) => {
    const text = fingerprintText(client, address)
    return text === undefined ? undefined : ports.hashToken(text)
  }
}

const keyedBy = (
  { hashToken }: AddClientPorts,
  { keyed }: Requested,
  client: RegisteredClient,
): KeyedRegistration | undefined =>
  hashToken === undefined || keyed === undefined ? undefined : keyedRegistration(hashToken)(keyed, client)

const rowOf = (
  ports: AuditPorts,
  { requested }: Addition,
  action: 'client_registered' | 'client_repeated',
  client: RegisteredClient,
  before: RegisteredClient | undefined,
  at: RegisteredClient['client_id_issued_at'],
): AuditRow | undefined =>
  audited(ports, requested, () => ({
    at,
    action,
    client_id: client.client_id,
    actor: requested.actor,
    members: changedMembers(before, client),
  }))

/** The unused client that the registration repeats, with its new token; undefined if there is none. */
const repeatOnce =
  (
    ports: Repeating,
    addition: Addition,
    fingerprint: TokenHash,
  ): TE.TaskEither<ClientChanged | Unavailable, RegisteredClient | undefined> =>
  async () => {
    const found = await ports.findUnused(fingerprint)()
    if (E.isLeft(found)) return found
    const stored = O.toUndefined(found.right)
    if (stored === undefined || !repeats(stored, addition.client)) return E.right(undefined)
    const next = withGeneratedToken(addition.client.registration_access_token)(stored)
    const row = rowOf(ports, addition, 'client_repeated', next, stored, addition.client.client_id_issued_at)
    const replaced = await ports.replaceClient(next, stored, row)()
    return E.isLeft(replaced) ? replaced : E.right(next)
  }

// Others repeat the same client at this moment: a program that registers in a loop does it several times at once.
const repeatUnused = async (
  ports: Repeating | undefined,
  addition: Addition,
): Promise<RegisteredClient | undefined> => {
  const { fingerprint } = addition
  if (ports === undefined || fingerprint === undefined) return undefined
  const repeat = repeatOnce(ports, addition, fingerprint)
  const repeated = await serializeOnConflict(ports, `registration ${fingerprint}`)(repeat)()
  return E.isRight(repeated) ? repeated.right : undefined
}

/**
 * Adds the client; or replaces the registration access token of the unused client that it repeats. Where that one was
 * used, updated or removed meanwhile, the registration is one of its own.
 */
export const addOrRepeat = (
  settings: RegistrationSettings,
  ports: AddClientPorts,
): ((decided: DecidedRegistration, requested: Requested) => TE.TaskEither<RefusedClient, RegisteredClient>) => {
  const limits = limitsOf(settings)
  const repeating = repeatingBy(settings, ports)
  const fingerprintOf = fingerprintBy(repeating)
  const add =
    (addition: Addition): TE.TaskEither<RefusedClient, RegisteredClient> =>
    async () => {
      const { client, consumedToken, fingerprint, keyed, requested } = addition
      const row = rowOf(ports, addition, 'client_registered', client, undefined, client.client_id_issued_at)
      const added = await ports.addClient(client, consumedToken, limits, fingerprint, row, keyed)()
      if (E.isRight(added)) return E.right(client)
      if (added.left.error !== 'registered_before') return E.left(added.left)
      const repeated = await repeatUnused(repeating, addition)
      return repeated === undefined
        ? add({ client, consumedToken, fingerprint: undefined, keyed, requested })()
        : E.right(repeated)
    }
  return ({ client, consumedToken }, requested) => {
    const keyed = keyedBy(ports, requested, client)
    // The key says which requests are the same: one with another key is a registration of its own.
    const fingerprint = keyed === undefined ? fingerprintOf(client, requested.ownAddress) : undefined
    return add({ client, consumedToken, fingerprint, keyed, requested })
  }
}

type KeyPorts = Pick<ClientRegistry, 'findKeyedRegistration' | 'findClient' | 'confirmReads'> & {
  readonly hashToken: HashText
}

/** Without the ports for keys, a key has no effect. */
export type AnswerAgainPorts = Partial<KeyPorts> & Pick<CredentialGenerator, 'now'>

type NotAnswered = IdempotencyKeyReused | IdempotencyConflict | Unavailable

type Find = (requested: KeyedRequest) => TE.TaskEither<NotAnswered, O.Option<RegisteredClient>>

const findWith = (ports: KeyPorts & AnswerAgainPorts): Find => {
  const decide = decideRepetition(ports.hashToken)
  return (requested) => async () => {
    const found = await ports.findKeyedRegistration(requested.key)()
    if (E.isLeft(found)) return found
    const client = O.isNone(found.right) ? E.right(O.none) : await ports.findClient(found.right.value.client_id)()
    if (E.isLeft(client)) return client
    return decide(requested, { found: found.right, client: client.right }, ports.now())
  }
}

const hasKeys = (ports: AnswerAgainPorts): ports is KeyPorts & AnswerAgainPorts =>
  ports.hashToken !== undefined &&
  ports.findKeyedRegistration !== undefined &&
  ports.findClient !== undefined &&
  ports.confirmReads !== undefined

/**
 * Runs the registration; where it is refused, it may have been made by the same request before, which has spent its token
 * or taken its client_id. So the first request with a key reads nothing more, and one at once with it finds its client.
 */
export const answerAgain =
  (ports: AnswerAgainPorts) =>
  <Request extends Parameters<ReturnType<typeof keyedRequest>>[0], Failure extends { readonly error: string }>(
    run: (request: Request, keyed: KeyedRequest | undefined) => TE.TaskEither<Failure, RegisteredClient>,
  ): ((request: Request) => TE.TaskEither<Failure | NotAnswered, RegisteredClient>) => {
    if (!hasKeys(ports)) return (request) => run(request, undefined)
    const keyed = keyedRequest(ports.hashToken)
    const find = findWith(ports)
    return (request) => async () => {
      const requested = keyed(request)
      const outcome = await run(request, requested)()
      if (E.isRight(outcome) || requested === undefined || outcome.left.error === 'missing_token') return outcome
      const before = await find(requested)()
      if (E.isLeft(before)) return before
      return O.isSome(before.right) ? confirmed(ports)(E.right(before.right.value))() : outcome
    }
  }
