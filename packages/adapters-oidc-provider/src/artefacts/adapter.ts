// The storage of the engine, on the artefacts of the store.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import { isSuspended } from '@clientele/domain/life-cycle'
import type { RefusedArtefact } from '@clientele/domain/ports'
import type { Artefact, ArtefactKind, StoredArtefact } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import { consumeForRow } from '../budgets.js'
import { isUse, recordUseBy } from '../clients/record-uses.js'
import { hasRedeemedCode, presentRequest } from '../context.js'
import { orThrow, performed } from '../errors.js'
import type { EnginePorts } from '../ports.js'
import { type ReplayPorts, keepHeld } from '../replays.js'
import { isInForce, isOfBrowser, isOfSignedIn, rememberSidOf } from '../sessions/session-of.js'
import { isUnchanged, rememberRead, rememberStoredWith } from '../sessions/unchanged-session.js'
import { type BelongingsPorts, type BelongingsSettings, belongingsOf } from './belongings.js'
import { type ConsumptionPorts, type ConsumptionSettings, consumptionOf } from './consumption.js'
import { type InitialTokenPorts, addAsInitialAccessToken, removeInitialAccessToken } from './initial-access-token.js'
import { kindOf } from './kinds.js'
import { artefactOf, endOf, payloadOf } from './stored-form.js'
import { precedesIdToken, storeMeanwhile } from './storing.js'

export type AdapterPorts = BelongingsPorts &
  ConsumptionPorts &
  ReplayPorts &
  InitialTokenPorts &
  Pick<
    EnginePorts,
    | 'confirmReads'
    | 'recordUse'
    | 'consumeBudget'
    | 'storeArtefact'
    | 'findArtefact'
    | 'findArtefactByName'
    | 'removeArtefact'
    | 'removeGrant'
  >

export type AdapterSettings = BelongingsSettings & ConsumptionSettings

const nothing = (): Promise<undefined> => Promise.resolve(undefined)

/** For models of features that are off. */
const unused: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

// The client was deleted, or the session or the grant ended, while the request was answered.
const ended = ({ error }: { readonly error: string }): Error => {
  if (error === 'unknown_client') return new errors.InvalidClient('client is invalid', 'its registration has ended')
  const what = error === 'unknown_grant' ? 'the grant has ended' : 'the end-user session has ended'
  return presentRequest()?.oidc.route === 'token' ? new errors.InvalidGrant(what) : new errors.SessionNotFound(what)
}

// RFC 6749 §4.1.2, docs/decisions/0111: a replay of the code has ended the grant while this request, the first with that
// code, is answered. What it issues is revoked already, so that it is not stored.
const isRevokedAtOnce = ({ error }: RefusedArtefact | Unavailable): boolean =>
  error === 'unknown_grant' && hasRedeemedCode()

// A refresh token that was used may be good once more: its next use decides. Elsewhere it counts as used.
const shown = (kind: ArtefactKind, payload: AdapterPayload): AdapterPayload => {
  if (kind !== 'refresh_token' || presentRequest()?.oidc.route !== 'token') return payload
  const unused = { ...payload }
  delete unused.consumed
  return unused
}

// A session by its uid is that of a token, not of the browser.
const isGoodFor = (
  ports: AdapterPorts,
  kind: ArtefactKind,
  stored: StoredArtefact,
  isByUid: boolean,
): Promise<boolean> => {
  if (kind === 'session')
    return isByUid ? isInForce(ports, stored) : isOfBrowser(ports, stored, presentRequest()?.req.headers.cookie)
  const request = kind === 'interaction' ? presentRequest() : undefined
  return request?.oidc.route === 'resume'
    ? isOfSignedIn(ports, stored, request.req.headers.cookie)
    : Promise.resolve(true)
}

// A resource server asks about the token of another client, which does not authenticate then. The endpoints at which a
// client uses its own artefacts find that it is suspended.
const isWithheld = async (
  { findClient }: AdapterPorts,
  kind: ArtefactKind,
  { client }: StoredArtefact,
): Promise<boolean> => {
  if (client === undefined || !isUse(kind) || presentRequest()?.oidc.route !== 'introspection') return false
  const found = await orThrow(findClient(client.client_id))
  return O.isSome(found) && isSuspended(found.value)
}

// A client revokes a token, and there is one. A question about one uses nothing up: of a client for which nobody vouches, it
// leaves no mark.
const isRevoked = (kind: ArtefactKind): boolean => isUse(kind) && presentRequest()?.oidc.route === 'revocation'

const store = async ({ storeArtefact }: AdapterPorts, artefact: Artefact, at: EpochSeconds): Promise<void> => {
  const stored = await performed(storeArtefact(artefact, at))
  if (E.isRight(stored)) return rememberStoredWith(artefact.session)
  if (!isRevokedAtOnce(stored.left)) throw ended(stored.left)
}

// Another request may have given the session another id meanwhile: the cookie of this answer still has the one that was
// read, which must then be stored again.
const isStoredUnchanged = async (
  { findArtefact, hashToken }: AdapterPorts,
  id: string,
  payload: AdapterPayload,
): Promise<boolean> => isUnchanged(id, payload) && O.isSome(await orThrow(findArtefact('session', hashToken(id))))

const remember = (session: StoredArtefact, id: string | undefined, payload: AdapterPayload): void => {
  rememberSidOf(session)
  if (id !== undefined) rememberRead(id, payload)
}

const createAdapter = (ports: AdapterPorts, settings: AdapterSettings, kind: ArtefactKind): Adapter => {
  const { hashToken, now } = ports
  const consume = consumptionOf(ports, settings)
  const read = async (found: O.Option<StoredArtefact>, id: string | undefined): Promise<AdapterPayload | undefined> => {
    // RFC 7009 §2.2: a token that is not there is answered as revoked. It may have been, by a commit that was not answered.
    if (O.isNone(found) && presentRequest()?.oidc.route === 'revocation') await orThrow(ports.confirmReads)
    if (O.isNone(found) || (await isWithheld(ports, kind, found.value))) return undefined
    if (!(await isGoodFor(ports, kind, found.value, id === undefined))) return undefined
    if (isRevoked(kind)) await keepHeld(ports)
    const payload = payloadOf(found.value, id)
    if (kind === 'session') remember(found.value, id, payload)
    return shown(kind, payload)
  }
  return {
    upsert: async (id, payload, expiresIn) => {
      if (kind === 'session' && (await isStoredUnchanged(ports, id, payload))) return
      await consumeForRow(ports, kind, payload)
      await keepHeld(ports)
      const at = now()
      const belongings = await belongingsOf(ports, settings, kind, payload)
      const artefact = artefactOf(
        hashToken,
        kind,
        { id, payload, expiresAt: endOf(at, expiresIn, payload.exp) },
        belongings,
      )
      await recordUseBy(ports, kind, belongings.client)
      await (precedesIdToken(kind) ? storeMeanwhile(() => store(ports, artefact, at)) : store(ports, artefact, at))
      if (kind === 'client_credentials') await addAsInitialAccessToken(ports, artefact)
    },
    find: async (id) => read(await orThrow(ports.findArtefact(kind, hashToken(id))), id),
    findByUid: async (uid) => read(await orThrow(ports.findArtefactByName(kind, hashToken(uid))), undefined),
    findByUserCode: nothing,
    consume: async (id) => {
      await keepHeld(ports)
      await consume(kind, id)
    },
    destroy: async (id) => {
      if (kind === 'client_credentials') await removeInitialAccessToken(ports, hashToken(id))
      await orThrow(kind === 'grant' ? ports.removeGrant(hashToken(id)) : ports.removeArtefact(kind, hashToken(id)))
    },
    revokeByGrantId: async (grantId) => {
      await orThrow(ports.removeGrant(hashToken(grantId)))
    },
  }
}

export const adapterOn =
  (ports: AdapterPorts, settings: AdapterSettings): AdapterFactory =>
  (model) => {
    const kind = kindOf(model)
    return kind === undefined ? unused : createAdapter(ports, settings, kind)
  }
