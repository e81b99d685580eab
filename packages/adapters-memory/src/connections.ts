// The consents of end-users, their connections, and those that were revoked.
import { type EpochSeconds, unknownClient } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { type StoragePorts, consentChanged } from '@clientele/domain/ports'
import {
  type Artefact,
  type Connection,
  coversPermissions,
  isConnectionUse,
  isSameConsent,
  matchesConnection,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type State,
  type StoredConnection,
  certainly,
  consentKey,
  forgetOver,
  isRegistered,
  step,
  writeAudit,
} from './state.js'

/** The connection of the artefact counts as used from then on. */
export const useConnection = ({ connections }: State, { kind, sub, client }: Artefact, at: EpochSeconds): void => {
  if (!isConnectionUse(kind) || sub === undefined || client === undefined) return
  const key = consentKey(sub, client)
  const used = connections.get(key)
  const day = useTime(at)
  if (used !== undefined && (used.last_use === undefined || used.last_use < day))
    connections.set(key, { ...used, last_use: day })
}

export const consents = (state: State): StoragePorts['consents'] => ({
  recordConsent: step((consent, read) => {
    const { sub, client, given_at } = consent
    if (!isRegistered(state)(client)) return E.left(unknownClient)
    const key = consentKey(sub, client)
    const earlier = state.connections.get(key)
    if (!isSameConsent(O.fromNullable(earlier?.consent), read)) return E.left(consentChanged)
    if (earlier !== undefined && !coversPermissions(consent, earlier.consent))
      for (const [name, { artefact }] of [...state.artefacts.where('consent', key)])
        if (artefact.kind !== 'interaction') state.artefacts.delete(name)
    if (earlier === undefined) state.last.connection += 1
    const begun = earlier ?? { position: state.last.connection, since: given_at, last_use: undefined }
    state.connections.set(key, { ...begun, consent })
    state.revokedConnections.delete(key)
    return E.right(undefined)
  }),
  findConsent: certainly((sub, client) => O.fromNullable(state.connections.get(consentKey(sub, client))?.consent)),
})

const counted =
  ({ artefacts }: State, at: EpochSeconds) =>
  ({ consent, ...stored }: StoredConnection): Connection => {
    const tokens =
      stored.revoked === undefined
        ? [...artefacts.where('consent', consentKey(consent.sub, consent.client)).values()]
        : []
    const inForce = (kind: Artefact['kind']): number =>
      tokens.filter(
        ({ artefact }) => artefact.kind === kind && artefact.consumed_at === undefined && artefact.expires_at > at,
      ).length
    return {
      ...consent,
      ...stored,
      access_tokens: inForce('access_token'),
      refresh_tokens: inForce('refresh_token'),
    }
  }

const inOrder = (rows: ReadonlyMap<string, StoredConnection>): ReadonlyArray<StoredConnection> =>
  [...rows.values()].sort((one, other) => one.position - other.position)

const revokedAt = ({ revoked }: StoredConnection): number => revoked?.at ?? Infinity

export const connections = (state: State): StoragePorts['connections'] => ({
  searchConnections: certainly((filter, at, { after, until = Infinity, limit }) => {
    const rows = filter.state === 'revoked' ? state.revokedConnections : state.connections
    const found = inOrder(rows)
      .filter(({ position }) => position > after && position <= until)
      .map(counted(state, at))
      .filter(matchesConnection(filter))
    const page = found.slice(0, limit)
    const next = found.length > limit ? page.at(-1)?.position : undefined
    return next === undefined ? { connections: page } : { connections: page, next }
  }),
  findConnection: certainly((position, at) => {
    const all = [...state.connections.values(), ...state.revokedConnections.values()]
    const found = all.find((each) => each.position === position)
    return O.map(counted(state, at))(O.fromNullable(found))
  }),
  lastConnection: certainly(() => inOrder(state.connections).at(-1)?.position ?? 0)(),
  revokeConnection: certainly(({ connection: { position, sub, client }, revoked, audit }) => {
    const key = consentKey(sub, client)
    const live = state.connections.get(key)
    if (live?.position !== position) return false
    state.revokedConnections.set(key, { ...live, revoked })
    state.connections.delete(key)
    state.artefacts.deleteWhere('consent', key)
    writeAudit(state, audit)
    return true
  }),
  forgetConnections: certainly((until, max) => forgetOver(state.revokedConnections, revokedAt, until, max)),
})
