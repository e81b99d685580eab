import * as t from 'io-ts'
import { type JWK, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/bundled-program.js'
import { discard, newDataDir } from '../support/service.js'

const program = bundledProgram('crashing-scheduler')

const Published = t.type({ at: t.number, keys: t.array(t.UnknownRecord) })
const Signed = t.type({ at: t.number, token: t.string, exp: t.number })
const Died = t.type({ died: t.string })

type Life = { readonly events: ReadonlyArray<unknown>; readonly signal: string | null; readonly errors: string }

const life = (file: string, start: number, ticks: number, step = 'none', which = 0): Life => {
  const reported = [program, file, start, ticks, step, which].map(String)
  const { stdout, stderr, signal } = spawnSync(process.execPath, reported, {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const events = stdout.split('\n').filter((line) => line !== '')
  return { events: events.map((line): unknown => JSON.parse(line)), signal, errors: stderr }
}

const isJwk = (key: unknown): key is JWK => t.type({ kty: t.string, kid: t.string }).is(key)
const kidsOf = ({ keys }: t.TypeOf<typeof Published>): ReadonlyArray<unknown> => keys.map(({ kid }) => kid)

/** The key of every signature is published before it and until it has expired; no set is empty. */
const check = async (events: ReadonlyArray<unknown>): Promise<number> => {
  const sets = events.filter(Published.is)
  for (const set of sets)
    assert.ok(
      set.keys.some(({ use }) => use === 'sig'),
      `an empty set at ${set.at}`,
    )
  let seen: ReadonlyArray<unknown> = []
  let signatures: number = 0
  for (const event of events) {
    if (Published.is(event)) seen = kidsOf(event)
    if (!Signed.is(event)) continue
    signatures += 1
    const { kid } = decodeProtectedHeader(event.token)
    assert.ok(seen.includes(kid), `signed at ${event.at} under ${String(kid)}, which was not published`)
    for (const set of sets.filter(({ at }) => at >= event.at && at < event.exp))
      await jwtVerify(event.token, createLocalJWKSet({ keys: set.keys.filter(isJwk) }), {
        currentDate: new Date(event.at * 1000),
      })
  }
  return signatures
}

const start = 2_000_000_000
// Long enough for a key to be announced, to sign, to retire and to be forgotten.
const ticks = 24

const crash = suite('kill -9 during a roll-over')

// The first ring of each kind is made at start; `times` counts roll-overs.
const steps: ReadonlyArray<readonly [string, number]> = [
  ['generate', 1],
  ['generate', 2],
  ['generate', 3],
  ['before store', 1],
  ['store', 1],
  ['before store', 2],
  ['store', 2],
  ['publish', 1],
  ['before store', 3],
  ['store', 3],
  ['retire', 1],
  ['use', 9],
  ['use', 12],
  ['forget', 1],
]

for (const [step, which] of steps)
  crash(`${step}, the ${which}.: no signature under an unpublished key, and no empty set`, async () => {
    const folder = newDataDir()
    const file = join(folder, 'clientele.db')
    const killed = life(file, start, ticks, step, which)
    assert.is(killed.signal, 'SIGKILL', killed.errors)
    assert.equal(killed.events.filter(Died.is), [{ died: step }])
    const last = killed.events.filter(Published.is).at(-1)
    const again = life(file, last?.at ?? start, ticks)
    assert.is(again.signal, null)
    assert.is(again.errors, '')
    const events = [...killed.events, ...again.events]
    const signatures = await check(events)
    assert.ok(signatures >= ticks, `${signatures} signatures`)
    // ES256 signs for 10 ticks and is announced 4 before, so that each lifetime adds one key, and a crash at most one
    // more.
    const kids = new Set(events.filter(Published.is).flatMap(kidsOf))
    assert.ok(kids.size <= 2 * (2 + Math.ceil((2 * ticks) / 10)), `${kids.size} keys`)
    discard(folder)
  })

crash.run()
