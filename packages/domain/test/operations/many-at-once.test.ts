// Many concurrent requests that change one thing: each gets its correct answer, however many there are.
import { unaudited } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PresentedCredential, type TokenHash, operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  exampleHash,
  exampleSession,
  exampleTime,
  issued,
  noPauses,
  oneSample,
  registrationSettings,
  shouldNotBeCalled,
  exampleOrigin,
  only,
  addition,
  noRow,
  readByCredential,
  registerByCredential,
  updateByCredential,
} from '@clientele/testing'
import { noPolicy } from '../../src/policy/policy.js'
import { clientChanged } from '../../src/ports/store.js'
import { sectorIdentifierUnavailable, unlimited } from '../../src/ports/outside.js'
import { maxSessionClients } from '../../src/logout/sessions.js'
import { recordSessionClient } from '../../src/operations/sessions.js'
import { createTurns } from '../../src/operations/conflicts.js'

const ManyAtOnce = suite('many requests at once')
const master: PresentedCredential = { kind: 'master' }
const base = oneSample(registrationSettings())
const settings = {
  ...base,
  credentials: { ...base.credentials, rotateRegistrationAccessTokenOnUpdate: true, clientSecretLifetime: 60 },
}

const world = () => {
  const store = inMemoryStore()
  let drawn = 0
  const at = secondsAfter(exampleTime, 3_600)
  const ports = {
    ...unaudited,
    ...unlimited,
    ...store.registry,
    ...store.initialAccessTokens,
    ...store.operatorTokens,
    ...store.endUserSessions,
    ...store.clientUses,
    // All registrations here have the same metadata.
    hashToken: () => exampleHash('repeated'),
    ...createTurns(noPauses),
    now: () => at,
    issue: () => {
      drawn += 1
      const registration_access_token = { token: `token-${drawn}`, hash: exampleHash(`token-${drawn}`) }
      const { client_id } = exampleClient(`client-${drawn}`)
      const client_secret = `secret-${drawn}`.padEnd(43, '_')
      return { ...oneSample(issued()), at, client_id, client_secret, registration_access_token }
    },
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('off')),
  }
  return { store, ports }
}

const times = <Answer>(count: number, run: (index: number) => Promise<Answer>): Promise<ReadonlyArray<Answer>> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const body = (client_name: string) => E.right({ redirect_uris: ['https://rp.example/cb'], client_name })

ManyAtOnce('of 200 updates by the master token each succeeds, and the client is one of them', async () => {
  const { store, ports } = world()
  await done(store.registry.addClient(addition(exampleClient('a'))))
  const update = updateByCredential(settings, only(ports))
  const outcomes = await times(200, (index) =>
    update({ origin: exampleOrigin, credential: master, clientId: 'a', body: body(`name ${index}`) })(),
  )
  assert.is(outcomes.filter(E.isRight).length, 200)
  assert.is(store.clients.get('a')?.version, 201)
})

// The updates, and which of the token of the requests and those of the answers open the client afterwards.
const updatesByOneToken = async (registrationAccessTokenGrace: number) => {
  const { store, ports } = world()
  const client = exampleClient('a')
  await done(store.registry.addClient(addition(client)))
  const credential = { kind: 'token' as const, hash: client.registration_access_token.hash }
  const credentials = { ...settings.credentials, registrationAccessTokenGrace }
  const update = updateByCredential({ ...settings, credentials }, only(ports))
  const outcomes = await times(200, () =>
    update({ origin: exampleOrigin, credential, clientId: 'a', body: body('renamed') })(),
  )
  const answered = outcomes.flatMap((outcome) =>
    E.isRight(outcome) ? [exampleHash(outcome.right.body.registration_access_token)] : [],
  )
  const { client_id } = client
  const opens = async (hash: TokenHash) => O.isSome(await done(store.registry.findClientByToken(client_id, hash)))
  const opening = await Promise.all([credential.hash, ...answered].map(opens))
  return { outcomes, answered, opening: opening.filter((each) => each).length, tokenOpens: opening[0] }
}

ManyAtOnce(
  'without a grace, of 200 updates by one registration access token one succeeds, and the others have an old token',
  async () => {
    const { outcomes, answered, opening, tokenOpens } = await updatesByOneToken(0)
    assert.equal([answered.length, opening, tokenOpens], [1, 1, false])
    for (const outcome of outcomes) if (E.isLeft(outcome)) assert.is(outcome.left.error, 'invalid_token')
  },
)

ManyAtOnce(
  'in a grace each of 200 updates by one registration access token succeeds, and the last of the new tokens is good',
  async () => {
    const { answered, opening, tokenOpens } = await updatesByOneToken(60)
    assert.equal([answered.length, opening, tokenOpens], [200, 2, true])
  },
)

ManyAtOnce('of 200 reads of an expired secret one renews it, and all answer with the same new one', async () => {
  const { store, ports } = world()
  await done(store.registry.addClient(addition(exampleClient('a'))))
  const read = readByCredential(settings, only(ports))
  const outcomes = await times(200, () => read({ origin: exampleOrigin, credential: master, clientId: 'a' })())
  const secrets = new Set(outcomes.map((outcome) => (E.isRight(outcome) ? outcome.right.body.client_secret : 'none')))
  assert.equal([...secrets], [store.clients.get('a')?.secret?.client_secret])
  assert.is(store.clients.get('a')?.version, 2)
})

ManyAtOnce('of 200 registrations of one public client there is one, and each has its own token', async () => {
  const { store, ports } = world()
  const open = { ...settings, mode: { kind: 'open', scope: [] }, policy: noPolicy } as const
  const register = registerByCredential(open, only(ports))
  const request = {
    credential: { kind: 'none' },
    body: E.right({ redirect_uris: ['https://rp.example/cb'], token_endpoint_auth_method: 'none' }),
    ownAddress: '192.0.2.1',
  } as const
  const outcomes = await times(200, () => register({ ...request, origin: exampleOrigin })())
  const registered = outcomes.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right.body] : []))
  assert.is(registered.length, 200)
  assert.equal([...new Set(registered.map(({ client_id }) => client_id))], [...store.clients.keys()])
  assert.is(store.clients.size, 1)
  assert.is(new Set(registered.map(({ registration_access_token }) => registration_access_token)).size, 200)
})

ManyAtOnce('of 110 clients that join one session at once as many join as it holds, and the rest are told', async () => {
  const { store, ports } = world()
  const session = { ...exampleSession('sid'), idle_lifetime: 7_200, expires_at: secondsAfter(exampleTime, 7_200) }
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
  const ids = Array.from({ length: 110 }, (_, index) => `client-${index}`)
  for (const id of ids) await done(store.registry.addClient(addition(exampleClient(id))))
  const join = recordSessionClient({ ...unaudited, ...unlimited, ...ports })
  const outcomes = await times(110, (index) =>
    join({
      origin: exampleOrigin,
      operator: operatorOfTheStore(),
      sid: 'sid',
      body: E.right({ client_id: ids[index] }),
    })(),
  )
  assert.is(outcomes.filter(E.isRight).length, maxSessionClients)
  for (const outcome of outcomes) if (E.isLeft(outcome)) assert.is(outcome.left.error, 'session_full')
  const found = await done(store.endUserSessions.findSessionById('sid'))
  assert.is(O.isSome(found) && found.value.clients.length, maxSessionClients)
})

ManyAtOnce('an update that meets others spends one unit of the budget', async () => {
  const { store, ports } = world()
  const client = { ...exampleClient('a'), registered_by: 'nobody' as const }
  await done(store.registry.addClient(addition(client)))
  const met = { left: 5 }
  const replaceClient = (...replaced: Parameters<typeof ports.replaceClient>) =>
    met.left-- > 0 ? TE.left(clientChanged) : ports.replaceClient(...replaced)
  const spent: Array<string> = []
  const consumeBudget = (kind: string) => TE.fromIO(() => void spent.push(kind))
  const update = updateByCredential(settings, only({ ...ports, replaceClient, consumeBudget }))
  const credential = { kind: 'token' as const, hash: client.registration_access_token.hash }
  const outcome = await update({ origin: exampleOrigin, credential, clientId: 'a', body: body('met others') })()
  assert.ok(E.isRight(outcome))
  assert.is(met.left, -1)
  assert.equal(spent, ['registrations'])
})

ManyAtOnce.run()
