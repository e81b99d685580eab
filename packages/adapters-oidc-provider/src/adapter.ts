// The storage of the engine, on the artefacts of the store.
import type { AuditRow } from '@clientele/domain/audit'
import { type TokenHash, isRegistrationScopeValue, parseRegistrationScope } from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { withdrawalOf } from '@clientele/domain/life-cycle'
import type { Artefact, ArtefactKind, ArtefactUse, StoredArtefact } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Adapter, type AdapterFactory, type AdapterPayload, type Provider, errors } from 'oidc-provider'
import { artefactOf, payloadOf } from './artefacts.js'
import { isPushedByAnyone, isUse } from './clients.js'
import {
  precedesIdToken,
  presentKnown,
  presentRequest,
  presentRoute,
  storeMeanwhile,
  storingFor,
  wordsOf,
} from './context.js'
import { orThrow, performed } from './errors.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { keepHeld } from './replays.js'
import { consumeForAnonymous } from './requests.js'
import { isInForce, isOfBrowser, isOfSignedIn, isUnchanged, rememberRead, rememberSidOf } from './sessions.js'
import { boundSource } from './tokens.js'

/** The models of the engine that are stored, and the kind of each. */
const kinds: ReadonlyMap<string, ArtefactKind> = new Map([
  ['Session', 'session'],
  ['Grant', 'grant'],
  ['Interaction', 'interaction'],
  ['AuthorizationCode', 'authorization_code'],
  ['AccessToken', 'access_token'],
  ['RefreshToken', 'refresh_token'],
  ['ClientCredentials', 'client_credentials'],
  ['PushedAuthorizationRequest', 'pushed_authorization_request'],
  ['ReplayDetection', 'replay'],
])

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

// The end-user has no session, or nobody vouches for the client.
const isAnonymous = (kind: ArtefactKind, payload: AdapterPayload): boolean => {
  if (kind === 'interaction') return payload.session?.accountId === undefined
  const client = presentRequest()?.oidc.client
  return kind === 'pushed_authorization_request' && client !== undefined && isPushedByAnyone(client)
}

// The client was deleted, or the session or the grant ended, while the request was answered.
const ended = ({ error }: { readonly error: string }): Error => {
  if (error === 'unknown_client') return new errors.InvalidClient('client is invalid', 'its registration has ended')
  const what = error === 'unknown_grant' ? 'the grant has ended' : 'the end-user session has ended'
  return presentRoute() === 'token' ? new errors.InvalidGrant(what) : new errors.SessionNotFound(what)
}

/** A replay of what leads to tokens ends the grant with everything that was issued on it. */
const usedBefore = async (ports: EnginePorts, { kind, hash }: ArtefactUse): Promise<Error> => {
  if (kind === 'interaction') return new errors.SessionNotFound('it was answered before')
  const found = await orThrow(ports.findArtefact(kind, hash))
  if (O.isSome(found) && found.value.grant !== undefined) await orThrow(ports.removeGrant(found.value.grant))
  return kind === 'pushed_authorization_request'
    ? new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
    : new errors.InvalidGrant(`${kind} was used before`)
}

/** What is used with the first artefact that is stored. */
const takeUse = (): ArtefactUse | undefined => {
  const known = presentKnown()
  const use = known?.use ?? storingFor.getStore()?.use
  if (known !== undefined) known.use = undefined
  return use
}

const store = async (ports: EnginePorts, artefact: Artefact, at: EpochSeconds): Promise<void> => {
  const use = takeUse()
  const stored = await performed(ports.storeArtefact(artefact, at, use))
  const known = presentKnown()
  if (E.isRight(stored)) {
    if (known === undefined) return
    known.storedWith = artefact.session ?? known.storedWith
    if (use?.kind === 'authorization_code') known.hasRedeemedCode = true
    return
  }
  if (use !== undefined && stored.left.error === 'already_consumed') throw await usedBefore(ports, use)
  // RFC 6749 §4.1.2, docs/decisions/tokens.md: a replay of the code has ended the grant while this request, the first with that
  // code, is answered. What it issues is revoked already, so that it is not stored.
  if (stored.left.error !== 'unknown_grant' || known?.hasRedeemedCode !== true) throw ended(stored.left)
}

const takeSuccessor = (): ReadonlyArray<() => Promise<void>> => {
  const known = presentKnown()
  const successor = known?.successor
  if (known !== undefined) delete known.successor
  return successor === undefined ? [] : [successor]
}

const storeAll = async (kind: ArtefactKind, all: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  if (precedesIdToken(kind)) for (const each of all) storeMeanwhile(each)
  else await Promise.all(all.map((each) => each()))
}

/**
 * The engine stores a refresh token that replaces another one before it judges the resource of the request (RFC 8707 §2.2): it
 * waits for the access token, so that a refused request uses nothing up.
 */
const storeInTurn = async (kind: ArtefactKind, storing: () => Promise<void>): Promise<void> => {
  const known = presentKnown()
  if (kind === 'refresh_token' && known?.use?.kind === 'refresh_token') known.successor = storing
  else await storeAll(kind, [...takeSuccessor(), storing])
}

/** What waits for an access token that is not stored, because it is a JWT (RFC 9068), is done when that is made. */
export const useBesideJwts = ({ AccessToken: { prototype } }: Provider, ports: EnginePorts): void => {
  const save: unknown = Reflect.get(prototype, 'save')
  if (typeof save !== 'function') throw new Error('the engine issues access tokens in another way')
  Object.assign(prototype, {
    async save(this: typeof prototype): Promise<string> {
      const token = await Reflect.apply(save as () => Promise<string>, this, [])
      await storeAll('refresh_token', takeSuccessor())
      const use = takeUse()
      if (use !== undefined && E.isLeft(await performed(ports.useArtefact(use)))) throw await usedBefore(ports, use)
      return token
    },
  })
}

// The client that sends the request is the actor.
const auditRowOf = (
  { auditRow, now }: EnginePorts,
  action: 'initial_access_token_issued' | 'initial_access_token_revoked',
  subject: TokenHash,
  members: ReadonlyArray<string>,
): AuditRow | undefined => {
  const request = presentRequest()
  const client_id = request?.oidc.client?.clientId
  if (request === undefined || client_id === undefined) return undefined
  const actor = { kind: 'client', fingerprint: '' } as const
  return auditRow(request, { at: now(), action, actor, client_id, subject, members })
}

/**
 * Specification §5.1: an access token of the service is good for one registration, too, where its scope says so; values that
 * registration does not know are of no concern to it.
 */
const addAsInitialAccessToken = async (
  ports: EnginePorts,
  { hash, client, expires_at, payload }: Artefact,
): Promise<void> => {
  const values = wordsOf(payload['scope']).filter(isRegistrationScopeValue)
  const scope = parseRegistrationScope(values.join(' '))
  if (values.length === 0 || E.isLeft(scope)) return
  const token = { hash, expires_at, ...scope.right, ...(client === undefined ? {} : { owner: client }) }
  const row = auditRowOf(ports, 'initial_access_token_issued', hash, ['expires_at', 'scope'])
  await orThrow(
    ports.addInitialAccessToken(token, ports.now(), row),
    () => new errors.InvalidClient('client is invalid', 'its registration has ended'),
  )
}

// A session by its uid is that of a token, not of the browser.
const isGoodFor = async (
  ports: EnginePorts,
  kind: ArtefactKind,
  stored: StoredArtefact,
  isByUid: boolean,
): Promise<boolean> => {
  const request = presentRequest()
  const cookie = request?.req.headers.cookie
  if (kind === 'session') return isByUid ? isInForce(ports, stored) : isOfBrowser(ports, stored, cookie)
  return kind !== 'interaction' || request?.oidc.route !== 'resume' || isOfSignedIn(ports, stored, cookie)
}

// A resource server asks about the token of another client, which does not authenticate then. The endpoints at which a
// client uses its own artefacts find that it is not in force.
const isWithheld = async (
  { findClient }: EnginePorts,
  kind: ArtefactKind,
  { client }: StoredArtefact,
): Promise<boolean> => {
  if (client === undefined || !isUse(kind) || presentRoute() !== 'introspection') return false
  const found = await orThrow(findClient(client.client_id))
  return O.isSome(found) && withdrawalOf(found.value) !== undefined
}

// A refresh token that was used may be good once more: its next use decides. Elsewhere it counts as used.
const leaveToNextUse = (token: StoredArtefact, payload: AdapterPayload): void => {
  const known = presentKnown()
  if (known !== undefined) known.refreshToken = token
  delete payload.consumed
}

const asItCounts = (
  ports: EnginePorts,
  settings: EngineSettings,
  stored: StoredArtefact,
  payload: AdapterPayload,
): AdapterPayload => {
  const { kind } = stored
  const route = presentRoute()
  if (kind === 'refresh_token' && route === 'token') leaveToNextUse(stored, payload)
  const leadsToTokens = kind === 'authorization_code' || kind === 'refresh_token'
  // RFC 7009 §2.1: what counts no more is revoked all the same.
  return leadsToTokens && route !== 'revocation' ? boundSource(settings, ports, payload) : payload
}

const read = async (
  ports: EnginePorts,
  settings: EngineSettings,
  kind: ArtefactKind,
  found: O.Option<StoredArtefact>,
  id: string | undefined,
): Promise<AdapterPayload | undefined> => {
  const route = presentRoute()
  // RFC 7009 §2.2: a token that is not there is answered as revoked. It may have been, by a commit that was not answered.
  if (O.isNone(found) && route === 'revocation') await orThrow(ports.confirmReads)
  if (O.isNone(found) || (await isWithheld(ports, kind, found.value))) return undefined
  if (!(await isGoodFor(ports, kind, found.value, id === undefined))) return undefined
  // A client revokes a token, and there is one. A question about one uses nothing up: of a client for which nobody vouches, it
  // leaves no mark.
  if (isUse(kind) && route === 'revocation') await keepHeld(ports)
  const payload = payloadOf(found.value, id)
  if (kind === 'session' && id !== undefined) rememberRead(id, payload)
  rememberSidOf(found.value)
  return asItCounts(ports, settings, found.value, payload)
}

const useOf = (
  { hashToken, now }: EnginePorts,
  settings: EngineSettings,
  kind: ArtefactKind,
  id: string,
): ArtefactUse => {
  const used = { hash: hashToken(id), at: now() }
  const predecessor = presentKnown()?.refreshToken?.predecessor
  return kind === 'refresh_token'
    ? { kind, ...used, grace: settings.refreshTokenGrace, predecessor }
    : { kind, ...used }
}

/**
 * Uses what may be used once: RFC 6749 §4.1.2, RFC 9126 §4, RFC 9700 §4.14.2. A code or a refresh token is used in the step
 * that stores the first token which is issued for it, so that no request that fails before uses it up.
 */
const consume = async (ports: EnginePorts, use: ArtefactUse): Promise<void> => {
  const known = presentKnown()
  if (known !== undefined && (use.kind === 'authorization_code' || use.kind === 'refresh_token')) {
    known.use = use
    return
  }
  if (E.isLeft(await performed(ports.useArtefact(use)))) throw await usedBefore(ports, use)
}

const createAdapter = (ports: EnginePorts, settings: EngineSettings, kind: ArtefactKind): Adapter => {
  const { hashToken, now } = ports
  // Another request may have given the session another id meanwhile: the cookie of this answer still has the one that was
  // read, which must then be stored again.
  const isStoredUnchanged = async (id: string, payload: AdapterPayload): Promise<boolean> =>
    isUnchanged(id, payload) && O.isSome(await orThrow(ports.findArtefact('session', hashToken(id))))
  return {
    upsert: async (id, payload, expiresIn) => {
      if (kind === 'session' && (await isStoredUnchanged(id, payload))) return
      // A unit of the budget is consumed before the row is made.
      if (isAnonymous(kind, payload)) await consumeForAnonymous(ports)
      await keepHeld(ports)
      const at = now()
      const artefact = await artefactOf(ports, settings, kind, id, payload, at, expiresIn)
      // The use is recorded first, so that no client which has such an artefact counts as unused.
      if (artefact.client !== undefined && isUse(kind)) await orThrow(ports.recordUse(artefact.client))
      await storeInTurn(kind, () => store(ports, artefact, at))
      if (kind === 'client_credentials') await addAsInitialAccessToken(ports, artefact)
    },
    find: async (id) => read(ports, settings, kind, await orThrow(ports.findArtefact(kind, hashToken(id))), id),
    findByUid: async (uid) =>
      read(ports, settings, kind, await orThrow(ports.findArtefactByName(kind, hashToken(uid))), undefined),
    findByUserCode: nothing,
    consume: async (id) => {
      await keepHeld(ports)
      await consume(ports, useOf(ports, settings, kind, id))
    },
    destroy: async (id) => {
      const hash = hashToken(id)
      // RFC 7009 §2.1: the token registers no client any more, either.
      if (kind === 'client_credentials')
        await orThrow(ports.removeInitialAccessToken(hash, auditRowOf(ports, 'initial_access_token_revoked', hash, [])))
      await orThrow(kind === 'grant' ? ports.removeGrant(hash) : ports.removeArtefact(kind, hash))
    },
    revokeByGrantId: async (grantId) => {
      await orThrow(ports.removeGrant(hashToken(grantId)))
    },
  }
}

export const adapterOn =
  (ports: EnginePorts, settings: EngineSettings): AdapterFactory =>
  (model) => {
    const kind = kinds.get(model)
    return kind === undefined ? unused : createAdapter(ports, settings, kind)
  }
