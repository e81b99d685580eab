// The promise of the roll-over, with real verifiers: a verifier that respects max-age verifies every unexpired token,
// at every moment.
import { secondsAfter } from '@clientele/domain/kernel'
import { signingKey } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FrozenDate, freezeDate } from '../support/frozen-date.js'
import { send } from '../support/requests.js'
import { type TimedService, startTimedService } from '../support/timed-service.js'
import { type Verify, joseVerifier, jwksRsaVerifier, oauth4webapiVerifier } from '../support/verifiers.js'

const rollOvers = 30
const audience = 'https://resource.example'
// oauth4webapi caches a set for 300 seconds, whatever its max-age is.
const algorithms = ['ES256', 'RS256'] as const
const retention = 400
const maxAge = 300
const settings = {
  CLIENTELE_SIGNING_ALGORITHMS: algorithms.join(','),
  CLIENTELE_SIGNING_KEY_LIFETIME: '900',
  CLIENTELE_KEY_PUBLISH_AHEAD: '700',
  CLIENTELE_KEY_RETENTION: String(retention),
  CLIENTELE_JWKS_MAX_AGE: String(maxAge),
}

type Token = { readonly text: string; readonly exp: number }
type World = TimedService & { readonly clock: FrozenDate; readonly now: () => number }

const verifying = suite<{ world: World }>('real verifiers')

verifying.before.each(async (context) => {
  const clock = freezeDate()
  const service = await startTimedService(settings)
  context.world = { ...service, clock, now: () => Math.floor(Date.now() / 1000) }
})

verifying.after.each(async ({ world }) => {
  world.clock.restore()
  await world.stop()
})

const passing = async ({ clock, pass, keys }: World, seconds: number): Promise<void> => {
  clock.pass(seconds)
  pass(seconds)
  await keys.reconcile()
}

const operate = async ({ base, master }: World, action: string, json: object): Promise<void> => {
  const { status, text } = await send({ base }, `/keys/${action}`, { method: 'POST', token: master, json })
  // Another change of the keys may be under way.
  assert.ok([200, 409].includes(status), text)
}

const keySetRequests = ({ output }: World): number => output().stderr.split('"route":"/jwks.json"').length - 1

const claims = { aud: audience, sub: 'user', client_id: 'client', jti: 'one' }

const signed = async ({ provider, keys, now }: World, alg: string, lifetime: number): Promise<Token> => {
  const since = keys.keyRings()[0]?.current.since
  if (since === undefined) throw new Error('there is no key ring')
  const expiresAt = secondsAfter(since, now() - since + lifetime)
  const token = await provider.signToken({ alg, typ: 'at+jwt', claims, expiresAt })()
  if (E.isLeft(token)) throw new Error(token.left.error)
  return { text: token.right, exp: expiresAt }
}

const verifiersOf = ({ base }: World): ReadonlyArray<readonly [string, Verify]> => {
  const provider = { issuer: base, jwksUri: `${base}/jwks.json`, maxAge }
  return [1, 2].flatMap(() => [
    ['jose', joseVerifier(provider)] as const,
    ['jwks-rsa', jwksRsaVerifier(provider)] as const,
    ['oauth4webapi', oauth4webapiVerifier(provider, audience)] as const,
  ])
}

const nextToExpire = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const soonest = Math.min(...tokens.map(({ exp }) => exp))
  return tokens.filter(({ exp }) => exp === soonest).slice(0, 1)
}

// The same irregular steps in every run, independent of the times of the policy.
const stepOf = (index: number): number => 5 + ((index * 7919) % 53)

const signingKids = ({ keys }: World): ReadonlyArray<string> =>
  keys
    .keyRings()
    .filter(({ use }) => use === 'sig')
    .map((ring) => signingKey(ring).kid)

verifying(`${rollOvers} roll-overs under continuous signing: not one token is refused`, async ({ world }) => {
  const verifiers = verifiersOf(world)
  const seen: Set<string> = new Set()
  const refused: Array<string> = []
  let tokens: ReadonlyArray<Token> = []
  let verified: number = 0
  for (let step = 0; seen.size < 2 * (rollOvers + 1); step += 1) {
    if (step % 97 === 0) await operate(world, 'roll-over', {})
    const lifetime = 1 + ((step * 104_729) % retention)
    const generator = await Promise.all(algorithms.map((alg) => signed(world, alg, lifetime)))
    tokens = [...generator, ...tokens.filter(({ exp }) => exp > world.now())]
    for (const [index, [name, verify]] of verifiers.entries()) {
      // Each verifier fetches at other times, so that each caches another set.
      if (step % (index + 1) !== 0) continue
      for (const { text } of [...generator, ...nextToExpire(tokens)]) {
        verified += 1
        await verify(text).catch((error: unknown) => refused.push(`${name} at step ${step}: ${String(error)}`))
      }
    }
    for (const kid of signingKids(world)) seen.add(kid)
    await passing(world, stepOf(step))
  }
  assert.equal(refused, [])
  const requests = keySetRequests(world)
  assert.ok(requests > 0 && verified > 10 * requests, `${verified} verified, ${requests} requests`)
})

verifying(
  'a compromised key is the one exception: its successor is refused until the sets are fetched anew',
  async ({ world }) => {
    const [[, verify] = []] = verifiersOf(world)
    if (verify === undefined) throw new Error('there is no verifier')
    const before = await signed(world, 'ES256', 400)
    await verify(before.text)
    const [kid = ''] = signingKids(world)
    await operate(world, 'compromise', { kid })
    const after = await signed(world, 'ES256', 400)
    await verify(before.text)
    assert.is(await verify(after.text).catch(() => 'refused'), 'refused')
    await passing(world, maxAge)
    await verify(after.text)
    assert.is(await verify(before.text).catch(() => 'refused'), 'refused')
  },
)

verifying.run()
