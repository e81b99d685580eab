import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type AuditActor, type AuditRow } from '../../audit/audit-entry.js'
import { changedMembers } from '../../audit/changed-members.js'
import type { TokenHash } from '../../authorization/credential.js'
import type { Unavailable } from '../../errors.js'
import { fingerprintText, repeats } from '../../registration/repeated-registration.js'
import type { ClientRegistry, RefusedAddition, RegisteredBefore, RegistryLimits } from '../../ports/client-registry.js'
import type { ClientUses } from '../../ports/client-uses.js'
import type { DecidedRegistration } from '../../registration/decide-registration.js'
import { type RegisteredClient, withGeneratedToken } from '../../registration/registered-client.js'
import type { RegistrationSettings } from '../../registration/registration-settings.js'
import { type AuditPorts, type WithOrigin, audited } from './audited.js'

/** What a registration needs that repeats an unused one. */
export type RepeatedRegistrationPorts = Pick<ClientRegistry, 'replaceClient'> &
  Pick<ClientUses, 'findUnused'> & { readonly hashToken: (text: string) => TokenHash }

/** Without the ports for repeated registrations, each registration adds a client. */
export type AddClientPorts = Pick<ClientRegistry, 'addClient'> & Partial<RepeatedRegistrationPorts> & AuditPorts

const limitsOf = ({ policy }: RegistrationSettings): RegistryLimits => ({
  clients: policy.maximum_clients ?? Infinity,
  unusedOpenClients: policy.maximum_unused_open_clients ?? Infinity,
})

/** Who registers, and from where. */
export type Requested = WithOrigin & { readonly actor: AuditActor; readonly ownAddress: string | undefined }

type Addition = DecidedRegistration & {
  readonly fingerprint: TokenHash | undefined
  readonly requested: Requested
}

export type RefusedClient = Exclude<RefusedAddition, RegisteredBefore> | Unavailable

const fingerprints = (
  { mode, policy }: RegistrationSettings,
  { hashToken, findUnused, replaceClient }: AddClientPorts,
): ((client: RegisteredClient, address: string | undefined) => TokenHash | undefined) => {
  const applies = mode.kind === 'open' && (policy.reuse_unused_registrations ?? true)
  if (!applies || hashToken === undefined || findUnused === undefined || replaceClient === undefined)
    return () => undefined
  return (client, address) => {
    const text = fingerprintText(client, address)
    return text === undefined ? undefined : hashToken(text)
  }
}

/** The unused client that the registration repeats. */
const findRepeated = async (
  { findUnused }: AddClientPorts,
  { client, fingerprint }: Addition,
): Promise<RegisteredClient | undefined> => {
  if (fingerprint === undefined || findUnused === undefined) return undefined
  const found = await findUnused(fingerprint)()
  if (E.isLeft(found) || O.isNone(found.right)) return undefined
  return repeats(found.right.value, client) ? found.right.value : undefined
}

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

const repeatUnused = async (ports: AddClientPorts, addition: Addition): Promise<RegisteredClient | undefined> => {
  const stored = await findRepeated(ports, addition)
  if (stored === undefined || ports.replaceClient === undefined) return undefined
  const next = withGeneratedToken(addition.client.registration_access_token)(stored)
  const row = rowOf(ports, addition, 'client_repeated', next, stored, addition.client.client_id_issued_at)
  return E.isRight(await ports.replaceClient(next, stored, row)()) ? next : undefined
}

/**
 * Adds the client; or replaces the registration access token of the unused client that it repeats. Where that one is
 * used, updated or removed at this moment, the registration is one of its own.
 */
export const addOrRepeat = (
  settings: RegistrationSettings,
  ports: AddClientPorts,
): ((decided: DecidedRegistration, requested: Requested) => TE.TaskEither<RefusedClient, RegisteredClient>) => {
  const limits = limitsOf(settings)
  const fingerprintOf = fingerprints(settings, ports)
  const add =
    (addition: Addition): TE.TaskEither<RefusedClient, RegisteredClient> =>
    async () => {
      const { client, consumedToken, fingerprint, requested } = addition
      const row = rowOf(ports, addition, 'client_registered', client, undefined, client.client_id_issued_at)
      const added = await ports.addClient(client, consumedToken, limits, fingerprint, row)()
      if (E.isRight(added)) return E.right(client)
      if (added.left.error !== 'registered_before') return E.left(added.left)
      const repeated = await repeatUnused(ports, addition)
      return repeated === undefined
        ? add({ client, consumedToken, fingerprint: undefined, requested })()
        : E.right(repeated)
    }
  return ({ client, consumedToken }, requested) =>
    add({ client, consumedToken, fingerprint: fingerprintOf(client, requested.ownAddress), requested })
}
