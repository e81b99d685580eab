import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import type { TokenHash } from '../../src/authorization/credential.js'
import {
  type RegisteredClient,
  endsPrecedingToken,
  opensClient,
  updatedClient,
  withGeneratedCredentials,
  withGeneratedSecret,
  withGeneratedToken,
  withoutPrecedingToken,
} from '../../src/registration/registered-client.js'
import { epochSecond, exampleClient, exampleHash, issued, law, oneSample } from '@clientele/testing'

const PrecedingToken = suite('preceding token')
const it = law(PrecedingToken)
const generated = oneSample(issued())
const policyOf = (registrationAccessTokenGrace: number) => ({
  clientSecretLifetime: 0,
  rotateRegistrationAccessTokenOnUpdate: true,
  rotateClientSecretOnUpdate: true,
  registrationAccessTokenGrace,
})

// What happens to a client: which of its tokens is presented, counted from the newest, and what for.
const event = fc.record({
  what: fc.constantFrom('update', 'read', 'operator', 'renewal', 'secret', 'repetition'),
  token: fc.nat(4),
  after: fc.nat(40),
})
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never

type History = {
  readonly client: RegisteredClient
  readonly at: EpochSeconds
  /** The newest first. */
  readonly tokens: ReadonlyArray<TokenHash>
  /** When the token was first replaced. */
  readonly replaced: ReadonlyMap<TokenHash, EpochSeconds>
  /** The token that was newest when a request with it succeeded. */
  readonly used: TokenHash | undefined
}

const begun = (): History => {
  const client = exampleClient('a')
  const { hash } = client.registration_access_token
  return { client, at: client.client_id_issued_at, tokens: [hash], replaced: new Map(), used: undefined }
}

const opening = ({ client, tokens, at }: History): ReadonlyArray<TokenHash> =>
  tokens.filter((hash) => opensClient(client, hash, at))

const step =
  (grace: number) =>
  (history: History, { what, token, after }: Event): History => {
    const { client, tokens } = history
    const at = secondsAfter(history.at, after)
    const newest = exampleHash(`token-${tokens.length}`)
    const made = { ...generated, at, registration_access_token: { token: newest, hash: newest } }
    const replacing = (next: RegisteredClient): History => ({
      ...history,
      client: next,
      at,
      tokens: [newest, ...tokens],
      replaced: new Map([[client.registration_access_token.hash, at], ...history.replaced]),
    })
    if (what === 'operator') return replacing(updatedClient(policyOf(grace), made)(client)(client.metadata))
    if (what === 'renewal') return replacing(withGeneratedCredentials(policyOf(grace), made)(client))
    if (what === 'repetition') return replacing(withGeneratedToken(made.registration_access_token)(client))
    if (what === 'secret') return { ...history, at, client: withGeneratedSecret(policyOf(grace), made)(client) }
    const hash = tokens[token % tokens.length] ?? newest
    if (!opensClient(client, hash, at)) return { ...history, at }
    const used = hash === tokens[0] ? hash : history.used
    if (what === 'update')
      return {
        ...replacing(updatedClient(policyOf(grace), made, { kind: 'token', hash })(client)(client.metadata)),
        used,
      }
    const ends = endsPrecedingToken({ kind: 'token', hash }, client)
    return { ...history, at, used, client: ends ? withoutPrecedingToken(client) : client }
  }

const histories = (grace: number, events: ReadonlyArray<Event>): ReadonlyArray<History> =>
  events.reduce<ReadonlyArray<History>>((all, each) => [...all, step(grace)(all.at(-1) ?? begun(), each)], [begun()])

it(
  'of all tokens ever issued for a client at most two open it: the newest one, and one before it until that is used',
  [fc.integer({ min: 1, max: 100 }), fc.array(event, { maxLength: 40 })],
  (grace, events) => {
    for (const history of histories(grace, events)) {
      const [newest, ...others] = opening(history)
      assert.is(newest, history.tokens[0])
      assert.ok(others.length <= 1)
      if (history.used === newest) assert.equal(others, [])
    }
  },
)

it(
  'no token opens its client for longer than the grace after it was replaced',
  [fc.integer({ min: 1, max: 100 }), fc.array(event, { maxLength: 40 })],
  (grace, events) => {
    for (const history of histories(grace, events)) {
      const late = opening(history).filter((hash) => {
        const replaced = history.replaced.get(hash)
        return replaced !== undefined && history.at >= replaced + grace
      })
      assert.equal(late, [])
    }
  },
)

it('without a grace exactly one token opens a client', [fc.array(event, { maxLength: 40 })], (events) => {
  for (const history of histories(0, events)) assert.equal(opening(history), history.tokens.slice(0, 1))
})

it(
  'after an update whose answer was lost, the same token updates again, and the token of the lost answer is dead',
  [fc.integer({ min: 1, max: 100 }), fc.nat(), fc.integer({ min: 1, max: 5 })],
  (grace, wait, times) => {
    const lost = Array.from({ length: times }, (_, n): Event => ({ what: 'update', token: n, after: 0 }))
    const last = histories(grace, lost).at(-1) ?? begun()
    const [newest, ...others] = last.tokens
    assert.equal(opening(last), [newest, others.at(-1)])
    const at = secondsAfter(last.at, wait % (2 * grace))
    assert.is(opening({ ...last, at }).length, wait % (2 * grace) < grace ? 2 : 1)
  },
)

it('whoever renews both credentials ends both tokens', [epochSecond(), fc.nat(100)], (at, grace) => {
  const made = { ...generated, at }
  const client = { ...exampleClient('a'), preceding_token: { hash: exampleHash('old'), until: secondsAfter(at, 9) } }
  for (const next of [
    withGeneratedCredentials(policyOf(grace), made)(client),
    withGeneratedToken(made.registration_access_token)(client),
    updatedClient(policyOf(grace), made)(client)(client.metadata),
  ])
    assert.equal(opening({ ...begun(), client: next, at, tokens: [exampleHash('old')] }), [])
})

PrecedingToken.run()
