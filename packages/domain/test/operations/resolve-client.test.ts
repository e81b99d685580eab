// The clients of client_ids that are URLs, from the first request on, against a model: docs/decisions/documents-of-clients.md.
import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  answeredWith,
  done,
  exampleClient,
  exampleHash,
  exampleTime,
  law,
  noPauses,
  exampleOrigin,
  only,
  removal,
  noRow,
  addition,
} from '@clientele/testing'
import { unlimited } from '../../src/ports/outside.js'
import { type KnownClient, decideDocument } from '../../src/provider/decide-document.js'
import type { DocumentSettings } from '../../src/provider/documents.js'
import type { SeenDocument } from '../../src/provider/seen-documents.js'
import { isRegisteredId } from '../../src/client/ids.js'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import {
  type DriftAction,
  type GivenDocumentPolicy,
  type RegistrationPolicy,
  driftActions,
  noPolicy,
} from '../../src/policy/policy.js'
import { approvedClient, suspendedClient } from '../../src/registration/registered-client.js'
import type { Subject } from '../../src/logout/sessions.js'
import { approveDocument, resolveClient } from '../../src/operations/provider.js'
import { createTurns } from '../../src/operations/conflicts.js'

const Resolve = suite('resolveClient and approveDocument')
const it = law(Resolve)

const url = 'https://app.example/client.json'
const zoe = 'zoe' as Subject

const document = (more: object) => ({
  client_id: url,
  client_name: 'An application',
  redirect_uris: ['https://app.example/callback'],
  token_endpoint_auth_method: 'none',
  ...more,
})

/** What the server of the document answers. */
const answers = {
  first: document({}),
  cosmetic: document({ logo_uri: 'https://app.example/logo.png' }),
  renamed: document({ client_name: 'Another name' }),
  moved: document({ redirect_uris: ['https://elsewhere.example/callback'] }),
  invalid: document({ client_secret: 'a secret' }),
  missing: 404,
  away: undefined,
} as const
type Answer = keyof typeof answers

const seenOf = (answer: Answer, at: EpochSeconds): SeenDocument => {
  const body = answers[answer]
  if (body === undefined) return { kind: 'unreachable', at }
  return body === 404 ? { ...answeredWith({}, at), status: 404 } : answeredWith(body, at)
}

const settingsOf = (policy: GivenDocumentPolicy, more: Partial<RegistrationPolicy> = {}): DocumentSettings => ({
  mode: { kind: 'managed' },
  outboundFetches: true,
  policy: { ...noPolicy, ...more, metadata_documents: { accept: 'any', ...policy } },
})

type State = {
  answer: Answer
  /** What an instance has seen before. */
  memory: SeenDocument | undefined
  now: EpochSeconds
  seenAt: O.Option<EpochSeconds>
  requests: number
  made: number
  /** Nothing can be stored. */
  isReadOnly: boolean
}

const world = (policy: GivenDocumentPolicy = {}, more: Partial<RegistrationPolicy> = {}) => {
  const store = inMemoryStore()
  const state: State = {
    answer: 'first',
    memory: undefined,
    now: exampleTime,
    seenAt: O.none,
    requests: 0,
    made: 0,
    isReadOnly: false,
  }
  const issue = () => {
    state.made += 1
    const { client_id, registration_id } = exampleClient(`made-${String(state.made)}`, `life-${String(state.made)}`)
    const token = `token-${String(state.made)}`
    return {
      at: state.now,
      client_id,
      registration_id,
      client_secret: 'unused',
      client_secret_padding: 'unused',
      registration_access_token: { token, hash: exampleHash(token) },
    }
  }
  const settings = settingsOf(policy, more)
  const ports = {
    ...store.registry,
    ...createTurns(noPauses),
    replaceClient: (...given: Parameters<typeof store.registry.replaceClient>) =>
      state.isReadOnly ? TE.left(unavailable('read-only')) : store.registry.replaceClient(...given),
    now: () => state.now,
    issue,
    decideDocument: decideDocument(settings),
    changeOrigin: () => ({ origin: exampleOrigin }),
    hashToken: (text: string) => exampleHash(text.replaceAll(' ', '-')),
    seeDocument: (_: unknown, since?: EpochSeconds) => () => {
      const { memory } = state
      if (memory !== undefined && (since === undefined || memory.at >= since)) return Promise.resolve(memory)
      state.requests += 1
      return Promise.resolve(seenOf(state.answer, state.now))
    },
    recordSeen: (_: unknown, { at }: SeenDocument) => TE.fromIO(() => void (state.seenAt = O.some(at))),
    findLastSeen: () => TE.fromTask(T.fromIO(() => state.seenAt)),
  }
  return {
    store,
    state,
    resolve: (id: string = url) => resolveClient(settings, only({ ...unaudited, ...unlimited, ...ports }))(id)(),
    approve: (known: KnownClient, sub = zoe) =>
      approveDocument(settings, { ...unaudited, ...unlimited, ...ports })(known.client, sub),
    stored: () => [...store.clients.values()].filter(({ client_id }) => !isRegisteredId(client_id)),
  }
}

const knownOf = (resolved: Awaited<ReturnType<ReturnType<typeof world>['resolve']>>): KnownClient | undefined =>
  E.isRight(resolved) ? O.toUndefined(resolved.right) : undefined

const step = fc.oneof(
  fc
    .constantFrom(...(Object.keys(answers) as ReadonlyArray<Answer>))
    .map((answer) => ({ kind: 'answer', answer }) as const),
  fc.integer({ min: 1, max: 200_000 }).map((seconds) => ({ kind: 'wait', seconds }) as const),
  fc.constantFrom('consent' as const, 'delete' as const, 'suspend' as const).map((kind) => ({ kind })),
)
const policies = fc.record({
  on_drift: fc.record({
    name: fc.constantFrom<DriftAction>(...driftActions),
    redirect_host: fc.constantFrom<DriftAction>(...driftActions),
    unreachable: fc.constantFrom<DriftAction>(...driftActions),
    withdrawn: fc.constantFrom<DriftAction>(...driftActions),
  }),
})

it(
  'nothing is stored before a consent, and what is stored then changes by consents and by changes that go on alone',
  [policies, fc.array(step, { maxLength: 12 })],
  async (policy, steps) => {
    const { store, state, resolve, approve, stored } = world(policy)
    for (const each of [...steps, { kind: 'consent' } as const]) {
      if (each.kind === 'answer') state.answer = each.answer
      if (each.kind === 'wait') state.now = secondsAfter(state.now, each.seconds)
      const [before] = stored()
      if (each.kind === 'delete' && before !== undefined)
        await done(store.registry.removeClient(removal(before.client_id)))
      if (each.kind === 'suspend' && before !== undefined)
        await done(
          store.registry.replaceClient({ next: suspendedClient(state.now)(before), replacing: before, audit: noRow }),
        )
      const [row] = stored()
      const known = knownOf(await resolve())
      const [after] = stored()
      assert.is(after === undefined, row === undefined, 'a search adds and removes nothing')
      if (known?.kind === 'documented') assert.equal(after, row, 'what asks an end-user first changes nothing')
      if (known?.kind === 'registered') assert.equal(known.client, after)
      if (known === undefined) assert.equal(after, row)
      if (each.kind !== 'consent' || known?.kind !== 'documented') continue
      const approved = await done(approve(known))
      assert.equal(stored(), [approved])
      assert.equal(approved.metadata, known.client.metadata)
      // While there is no document, each request may ask.
      const isThere = state.answer !== 'missing' && state.answer !== 'away'
      if (isThere) assert.equal(knownOf(await resolve()), { kind: 'registered', client: approved })
    }
  },
)

it(
  'of many consents at once one stores the client, and all have the same registration',
  [fc.integer({ min: 2, max: 8 })],
  async (count) => {
    const { resolve, approve, stored } = world()
    const known = knownOf(await resolve())
    assert.ok(known?.kind === 'documented')
    const approved = await Promise.all(
      Array.from({ length: count }, () => done(approve({ ...known, client: { ...known.client } }))),
    )
    assert.is(stored().length, 1)
    for (const each of approved) assert.equal(each, stored()[0])
  },
)

Resolve('an instance with an earlier document in memory requests it again, and undoes nothing', async () => {
  const { state, resolve, approve, stored } = world()
  const earlier = seenOf('first', state.now)
  const known = knownOf(await resolve())
  assert.ok(known !== undefined)
  await done(approve(known))
  for (const answer of ['cosmetic', 'moved'] as const) {
    state.answer = answer
    state.memory = undefined
    state.now = secondsAfter(state.now, 60)
    const seen = knownOf(await resolve())
    if (seen?.kind === 'documented') await done(approve(seen))
    await resolve()
    const [row] = stored()
    const before = state.requests
    state.memory = earlier
    assert.equal(knownOf(await resolve()), { kind: 'registered', client: row })
    assert.equal([stored(), state.requests], [[row], before + 1])
  }
})

Resolve('what could not be stored does not go on', async () => {
  const { state, resolve, approve, stored } = world()
  const known = knownOf(await resolve())
  assert.ok(known !== undefined)
  await done(approve(known))
  const [before] = stored()
  state.answer = 'cosmetic'
  state.isReadOnly = true
  assert.equal(knownOf(await resolve()), { kind: 'registered', client: before })
  state.isReadOnly = false
  const after = knownOf(await resolve())
  assert.equal([after?.client.metadata.logo_uri, stored()[0]], ['https://app.example/logo.png', after?.client])
})

Resolve('a suspended client is answered without a request', async () => {
  const { store, state, resolve, approve } = world()
  const known = knownOf(await resolve())
  assert.ok(known !== undefined)
  const client = await done(approve(known))
  await done(
    store.registry.replaceClient({ next: suspendedClient(exampleTime)(client), replacing: client, audit: noRow }),
  )
  const before = state.requests
  const again = knownOf(await resolve())
  assert.ok(again?.kind === 'registered' && again.client.suspended_at === exampleTime)
  assert.is(state.requests, before)
})

Resolve('a URL that the policy does not accept is not requested, and no URL is where it accepts none', async () => {
  const denied = world({ denied_hosts: ['app.example'] })
  const refused = await denied.resolve()
  assert.ok(E.isLeft(refused) && refused.left.error === 'document_refused')
  const none = world({ accept: 'none' })
  assert.equal(await none.resolve(), E.right(O.none))
  assert.equal(await none.resolve('http://app.example/client.json'), E.right(O.none))
  assert.is(denied.state.requests + none.state.requests, 0)
})

Resolve('what is not there has one text, whatever the reason', async () => {
  const { state, resolve } = world()
  const texts = new Set<string>()
  for (const answer of ['missing', 'away'] as const) {
    state.answer = answer
    const refused = await resolve()
    assert.ok(E.isLeft(refused) && refused.left.error === 'document_refused')
    texts.add(refused.left.error_description)
  }
  assert.is(texts.size, 1)
  state.answer = 'invalid'
  const refused = await resolve()
  assert.ok(E.isLeft(refused) && refused.left.error === 'document_refused')
  assert.match(refused.left.error_description, 'must not stand in a document')
})

Resolve('a registered client is found by its id, and no document has that of another', async () => {
  const { store, state, resolve } = world()
  const client = exampleClient('registered')
  await done(store.registry.addClient(addition(client)))
  assert.equal(await resolve('registered'), E.right(O.some({ kind: 'registered', client })))
  assert.equal(await resolve('unknown'), E.right(O.none))
  assert.is(state.requests, 0)
})

Resolve(
  'a document that no list names waits, stored once and as it was first seen, until an operator approves it',
  async () => {
    const { store, state, resolve, stored } = world({}, { approve: ['documents'] })
    const known = knownOf(await resolve())
    const [row] = stored()
    assert.equal(known, { kind: 'registered', client: row })
    assert.equal([row?.approval, row?.registered_by], [{ state: 'pending' }, 'nobody'])
    state.answer = 'renamed'
    assert.equal(knownOf(await resolve()), { kind: 'registered', client: row })
    assert.equal([stored().length, state.requests], [1, 1])
    if (row === undefined) throw new Error('it is stored')
    const approved = approvedClient(state.now)(row)
    await done(store.registry.replaceClient({ next: approved, replacing: row, audit: noRow }))
    const changed = knownOf(await resolve())
    assert.is(changed?.kind, 'documented', 'the end-user is asked about what has changed since')
    state.answer = 'first'
    assert.equal(knownOf(await resolve()), { kind: 'registered', client: approved })
  },
)

Resolve('a document that a list names does not wait, nor does any without the part of the policy', async () => {
  const lists: ReadonlyArray<GivenDocumentPolicy> = [
    { allowed_hosts: ['app.example'] },
    { allowed_hosts: ['*.example'] },
    { allowed_url_prefixes: ['https://app.example/'] },
    { accept: 'listed', allowed_hosts: ['app.example'] },
  ]
  for (const list of lists) {
    const { resolve, stored } = world(list, { approve: ['documents'] })
    assert.equal([knownOf(await resolve())?.kind, stored().length], ['documented', 0])
  }
  const { resolve } = world({}, { approve: ['anonymous', 'tokens'] })
  assert.is(knownOf(await resolve())?.kind, 'documented')
})

Resolve(
  'documents that wait are no more than unused clients may be; one without room waits, and is not stored',
  async () => {
    const { state, resolve, stored } = world({}, { approve: ['documents'], maximum_unused_open_clients: 0 })
    const known = knownOf(await resolve())
    assert.equal([known?.client.approval, stored().length], [{ state: 'pending' }, 0])
    state.answer = 'invalid'
    assert.ok(E.isLeft(await resolve()), 'a faulty document is refused, and waits for nobody')
  },
)

Resolve.run()
