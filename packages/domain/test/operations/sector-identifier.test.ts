import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decideSectorIdentifier } from '../../src/client/statement.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  exampleHash,
  exampleTime,
  issued,
  law,
  noPauses,
  oneSample,
  registrationSettings,
  shouldNotBeCalled,
  validate,
  validClientMetadata,
  exampleOrigin,
  only,
  registerByCredential,
  updateByCredential,
} from '@clientele/testing'
import type { Requester } from '../../src/authorization/credential.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { clientChanged } from '../../src/ports/store.js'
import { sectorIdentifierUnavailable, unlimited } from '../../src/ports/outside.js'
import { createTurns } from '../../src/operations/conflicts.js'

const SectorIdentifier = suite('sector_identifier_uri')
const it = law(SectorIdentifier)
const settings = { ...oneSample(registrationSettings()), mode: { kind: 'managed' as const }, outboundFetches: true }
const redirect_uris = ['https://rp.example/cb', 'https://two.example/cb']
const sector_identifier_uri = 'https://rp.example/sector.json'
const body = { redirect_uris, subject_type: 'pairwise', sector_identifier_uri }
const master = { kind: 'master' as const }

/** In place of a document: the service itself cannot request it. */
const unable = Symbol('unable')

const world = (document: unknown) => {
  const { registry, clientUses, initialAccessTokens, operatorTokens, clients } = inMemoryStore()
  const requested: Array<string> = []
  const requesters: Array<Requester> = []
  const fetchSectorIdentifier = (uri: string, requester: Requester) => {
    requested.push(uri)
    requesters.push(requester)
    if (document === unable) return TE.left(unavailable('no place within 2500 ms'))
    return document === undefined ? TE.left(sectorIdentifierUnavailable('down')) : TE.right(document)
  }
  const ports = {
    ...unaudited,
    ...unlimited,
    ...registry,
    ...clientUses,
    ...initialAccessTokens,
    ...operatorTokens,
    hashToken: exampleHash,
    now: () => exampleTime,
    ...createTurns(noPauses),
    issue: () => oneSample(issued().filter(({ client_id }) => !clients.has(client_id))),
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier,
  }
  return { ports, requested, requesters, clients }
}

const errorOf = (
  outcome: E.Either<{ readonly error: string; readonly errors?: ReadonlyArray<{ readonly rule: string }> }, unknown>,
) => (E.isLeft(outcome) ? [outcome.left.error, ...(outcome.left.errors ?? []).map(({ rule }) => rule)] : [])

it(
  'a document holds the redirection URIs exactly when it lists each of them, as it is written',
  [validClientMetadata(), fc.array(fc.string())],
  (valid, more) => {
    const { metadata } = validate(valid)
    const uris = metadata.redirect_uris ?? []
    assert.ok(E.isRight(decideSectorIdentifier(metadata)([...more, ...uris])))
    const first = uris[0]
    if (first !== undefined) assert.ok(E.isLeft(decideSectorIdentifier(metadata)(uris.slice(1))))
  },
)

it('any document whatever is decided', [fc.anything()], (document) => {
  const decided = decideSectorIdentifier(validate({ redirect_uris }).metadata)(document)
  if (!Array.isArray(document)) assert.ok(E.isLeft(decided))
})

SectorIdentifier('a registration is made when the document lists its redirection URIs', async () => {
  const { ports, requested, clients } = world(redirect_uris)
  assert.ok(
    E.isRight(
      await registerByCredential(
        settings,
        only(ports),
      )({
        origin: exampleOrigin,
        credential: master,
        body: E.right(body),
      })(),
    ),
  )
  assert.equal([requested, clients.size], [[sector_identifier_uri], 1])
})

for (const [what, document] of Object.entries({
  'a document that does not come': undefined,
  'a document that leaves one out': redirect_uris.slice(1),
  'an empty list': [],
  'no list': { redirect_uris },
  'a list with something else in it': [...redirect_uris, 7],
}))
  SectorIdentifier(`${what} refuses the registration, and nothing is stored`, async () => {
    const { ports, clients } = world(document)
    const outcome = await registerByCredential(
      settings,
      only(ports),
    )({
      origin: exampleOrigin,
      credential: master,
      body: E.right(body),
    })()
    assert.equal(errorOf(outcome), ['invalid_client_metadata', 'sector-identifier'])
    assert.is(clients.size, 0)
  })

SectorIdentifier('what the service itself cannot fetch is unavailable, and no fault of the metadata', async () => {
  const { ports, clients } = world(unable)
  const refusal = E.left(unavailable('no place within 2500 ms'))
  assert.equal(
    await registerByCredential(
      settings,
      only(ports),
    )({
      origin: exampleOrigin,
      credential: master,
      body: E.right(body),
    })(),
    refusal,
  )
  assert.is(clients.size, 0)
  await registerByCredential(
    settings,
    only(ports),
  )({
    origin: exampleOrigin,
    credential: master,
    body: E.right({ redirect_uris }),
  })()
  const clientId = [...clients.keys()][0] ?? ''
  assert.equal(
    await updateByCredential(
      settings,
      only(ports),
    )({
      origin: exampleOrigin,
      credential: master,
      clientId,
      body: E.right(body),
    })(),
    refusal,
  )
})

SectorIdentifier('it is fetched for the one who asks: MASTER, or the address of whoever has no token', async () => {
  const { ports, requesters, clients } = world(redirect_uris)
  const open = { ...settings, mode: { kind: 'open' as const, scope: [] } }
  const requested = { body: E.right(body), remoteAddress: '192.0.2.1' }
  const anonymous = { kind: 'none' as const }
  assert.ok(
    E.isRight(
      await registerByCredential(
        open,
        only(ports),
      )({
        origin: exampleOrigin,
        ...requested,
        credential: anonymous,
      })(),
    ),
  )
  assert.ok(
    E.isRight(
      await registerByCredential(
        open,
        only(ports),
      )({
        origin: exampleOrigin,
        ...requested,
        credential: master,
      })(),
    ),
  )
  const client = [...clients.values()][0]
  assert.ok(client !== undefined)
  const { hash } = client.registration_access_token
  const update = { ...requested, credential: { kind: 'token' as const, hash }, clientId: client.client_id }
  assert.ok(E.isRight(await updateByCredential(open, only(ports))({ ...update, origin: exampleOrigin })()))
  const byAddress = { kind: 'nobody', address: '192.0.2.1' }
  assert.equal(requesters, [byAddress, { kind: 'master' }, byAddress])
})

SectorIdentifier('an update that meets another one fetches the document once, and judges it again', async () => {
  const { ports, requested, clients } = world(redirect_uris)
  await registerByCredential(
    settings,
    only(ports),
  )({
    origin: exampleOrigin,
    credential: master,
    body: E.right({ redirect_uris }),
  })()
  const clientId = [...clients.keys()][0] ?? ''
  const met = { left: 5 }
  const replaceClient = (...replaced: Parameters<typeof ports.replaceClient>) =>
    met.left-- > 0 ? TE.left(clientChanged) : ports.replaceClient(...replaced)
  const update = updateByCredential(
    settings,
    only({ ...ports, replaceClient }),
  )({
    origin: exampleOrigin,
    credential: master,
    clientId,
    body: E.right(body),
  })
  assert.ok(E.isRight(await update()))
  assert.equal(requested, [sector_identifier_uri])
  assert.ok(E.isRight(await update()))
  assert.is(requested.length, 2)
})

SectorIdentifier('nothing is fetched for a body with a fault, nor for one that is not permitted', async () => {
  const { ports, requested } = world(redirect_uris)
  const register = registerByCredential({ ...settings, mode: { kind: 'open', scope: [] } }, only(ports))
  for (const invalid of [
    { ...body, client_name: 7 },
    { ...body, grant_types: ['password'] },
    { ...body, scope: 'openid' },
  ])
    assert.ok(
      E.isLeft(await register({ origin: exampleOrigin, credential: { kind: 'none' }, body: E.right(invalid) })()),
    )
  assert.equal(requested, [])
})

SectorIdentifier('while outbound fetches are off the member is refused by a text that names the setting', async () => {
  const { ports, requested } = world(redirect_uris)
  const off = { ...settings, outboundFetches: false }
  const outcome = await registerByCredential(
    off,
    only(ports),
  )({
    origin: exampleOrigin,
    credential: master,
    body: E.right(body),
  })()
  assert.equal(errorOf(outcome), ['invalid_client_metadata', 'sector-identifier-off'])
  assert.match(
    E.isLeft(outcome) && 'error_description' in outcome.left ? outcome.left.error_description : '',
    'outbound-fetches',
  )
  assert.equal(requested, [])
})

SectorIdentifier('an update is held to the same', async () => {
  const { ports, clients } = world(redirect_uris)
  await registerByCredential(
    settings,
    only(ports),
  )({
    origin: exampleOrigin,
    credential: master,
    body: E.right({ redirect_uris }),
  })()
  const clientId = [...clients.keys()][0] ?? ''
  const update = (next: object) =>
    updateByCredential(
      settings,
      only(ports),
    )({
      origin: exampleOrigin,
      credential: master,
      clientId,
      body: E.right(next),
    })()
  assert.ok(E.isRight(await update(body)))
  assert.equal(errorOf(await update({ ...body, redirect_uris: ['https://three.example/'] })), [
    'invalid_client_metadata',
    'sector-identifier',
  ])
  assert.equal(O.fromNullable(clients.get(clientId)?.metadata.redirect_uris), O.some(redirect_uris))
})

SectorIdentifier.run()
