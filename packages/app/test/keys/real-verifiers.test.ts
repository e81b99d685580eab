// The promise of the roll-over, with real verifiers: a verifier that respects max-age verifies every unexpired token,
// at every moment.
import { exampleOrigin } from '@clientele/testing'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { type KeySettings, signingKey } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FrozenDate, freezeDate } from '../support/frozen-date.js'
import { type TimedService, startTimedService } from '../support/timed-service.js'
import { type Verify, joseVerifier, jwksRsaVerifier, oauth4webapiVerifier } from '../support/verifiers.js'

const rollOvers = 30
const audience = 'https://resource.example'
// oauth4webapi caches a set for 300 seconds, whatever its max-age is.
const settings: KeySettings = {
  policy: { lifetime: 900, publishAhead: 700, retention: 400, maxAge: 300 },
  signingAlgorithms: ['ES256', 'RS256'],
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

const passing = async ({ clock, pass, rotation }: World, seconds: number): Promise<void> => {
  clock.pass(seconds)
  pass(seconds)
  await rotation.reconcile()
}

const claims = { aud: audience, sub: 'user', client_id: 'client', jti: 'one' }

const signed = async ({ signToken, rotation, now }: World, alg: string, lifetime: number): Promise<Token> => {
  const since = rotation.keyRings()[0]?.current.since
  if (since === undefined) throw new Error('there is no key ring')
  const expiresAt = secondsAfter(since, now() - since + lifetime)
  const token = await signToken({ alg, typ: 'at+jwt', claims, expiresAt })()
  if (E.isLeft(token)) throw new Error(token.left.error)
  return { text: token.right, exp: expiresAt }
}

const verifiersOf = ({ base }: World): ReadonlyArray<readonly [string, Verify]> => {
  const provider = { issuer: base, jwksUri: `${base}/jwks.json`, maxAge: settings.policy.maxAge }
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

const signingKids = ({ rotation }: World): ReadonlyArray<string> =>
  rotation
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
    if (step % 97 === 0)
      await world.rotation.keys(operatorOfTheStore(), { origin: exampleOrigin }).rollOver({ dryRun: false })()
    const lifetime = 1 + ((step * 104_729) % settings.policy.retention)
    const generator = await Promise.all(settings.signingAlgorithms.map((alg) => signed(world, alg, lifetime)))
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
  assert.ok(verified > 10 * world.keySetRequests(), `${verified} verified, ${world.keySetRequests()} requests`)
})

verifying(
  'a compromised key is the one exception: its successor is refused until the sets are fetched anew',
  async ({ world }) => {
    const [[, verify] = []] = verifiersOf(world)
    if (verify === undefined) throw new Error('there is no verifier')
    const before = await signed(world, 'ES256', 400)
    await verify(before.text)
    const [kid = ''] = signingKids(world)
    await world.rotation.keys(operatorOfTheStore(), { origin: exampleOrigin }).revoke({ kid, dryRun: false })()
    const after = await signed(world, 'ES256', 400)
    await verify(before.text)
    assert.is(await verify(after.text).catch(() => 'refused'), 'refused')
    await passing(world, settings.policy.maxAge)
    await verify(after.text)
    assert.is(await verify(before.text).catch(() => 'refused'), 'refused')
  },
)

verifying.run()
