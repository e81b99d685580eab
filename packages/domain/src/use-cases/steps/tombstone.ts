// What is left of a removed client, so that its application learns what to do: docs/decisions/0120.
import type { TokenHash } from '../../authorization/credential.js'
import type { ClientId } from '../../client/client-id.js'
import { secondsAfter } from '../../codec/epoch-seconds.js'
import type { Tombstone } from '../../ports/client-uses.js'
import type { CredentialGenerator } from '../../ports/credential-generator.js'
import type { LifeCyclePolicy } from '../../life-cycle/client-state.js'

export type TombstonePorts = Pick<CredentialGenerator, 'now'> & {
  readonly hashToken: (text: string) => TokenHash
}

/** The keyed digest by which a client_id is remembered. */
export const rememberedId = (hashToken: TombstonePorts['hashToken'], id: string): TokenHash =>
  hashToken(`removed client ${id}`)

export type MakeTombstone = (id: ClientId) => Tombstone

export const tombstones =
  (
    { tombstoneLifetime }: Pick<LifeCyclePolicy, 'tombstoneLifetime'>,
    { now, hashToken }: TombstonePorts,
  ): MakeTombstone =>
  (id) => ({ id: rememberedId(hashToken, id), until: secondsAfter(now(), tombstoneLifetime) })
