import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Ran, run, started } from './run.js'

type Listed = { readonly kid: string; readonly alg: string; readonly phase: string; readonly next_at: number }
type World = { directory: string; keys: (...argv: ReadonlyArray<string>) => Promise<Ran>; answer: string }

const flagsOf = (directory: string) => ({ 'data-dir': join(directory, 'data'), 'signing-algorithms': 'ES256,EdDSA' })

const listed = ({ output }: Ran): ReadonlyArray<Listed> => JSON.parse(output).keys

const writtenKeys = (directory: string, keys: ReadonlyArray<object>, mode = 0o600): string => {
  const file = join(directory, 'keys.json')
  writeFileSync(file, JSON.stringify({ keys }))
  chmodSync(file, mode)
  return file
}

const ecKey = (kid: string): object => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
})

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`keys ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    context.answer = ''
    const flags = flagsOf(context.directory)
    service = await started(flags)
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    context.keys = (...argv) => run(['keys', ...argv, ...given], {}, context.answer)
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  test('list: every key with phase, age and what comes next', async ({ keys }) => {
    const { status, output } = await keys('list')
    assert.is(status, 0)
    for (const alg of ['ES256', 'EdDSA', 'RSA-OAEP-256']) assert.match(output, alg)
    assert.match(output, /signing since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, \d+ s old/)
    assert.match(output, /successor is announced at \d{4}-/)
    assert.is(listed(await keys('list', '--json')).length, 3)
  })

  test('roll-over: the timeline; a dry run keeps nothing; a second one is refused', async ({ keys }) => {
    const before = await keys('list', '--json')
    const dry = await keys('roll-over', 'ES256', '--dry-run')
    assert.is(dry.status, 0)
    assert.match(dry.output, /Nothing was done/)
    assert.equal(await keys('list', '--json'), before)
    const { status, output } = await keys('roll-over', 'ES256')
    assert.is(status, 0)
    assert.match(
      output,
      /^ES256\n {2}\S{43} is published now, and signs at \S+Z\n {2}\S{43} retires at \S+Z, and leaves at \S+Z\n$/,
    )
    const phases = listed(await keys('list', '--json')).map(({ alg, phase }) => `${alg} ${phase}`)
    assert.equal([...phases].sort(), ['ES256 announced', 'ES256 signing', 'EdDSA signing', 'RSA-OAEP-256 published'])
    const again = await keys('roll-over', 'ES256')
    assert.is(again.status, 1)
    assert.match(again.errors, /announced already\nIt takes over at \S+Z\n$/)
  })

  test('create says that no key was missing', async ({ keys }) => {
    const { output } = await keys('create')
    assert.is(output, `No key was missing, and none was made. The keys are:\n${(await keys('list')).output}`)
    assert.is(JSON.parse((await keys('create', '--json')).output).made, 0)
  })

  test('roll-over of every ring; an algorithm without a ring tells those that there are', async ({ keys }) => {
    const unknown = await keys('roll-over', 'PS512')
    assert.is(unknown.status, 1)
    assert.is(
      unknown.errors,
      'clientele: No key ring signs with this algorithm: see signing-algorithms; to encrypt to, there is RSA-OAEP-256\n' +
        'There are:\n  ES256\n  EdDSA\n',
    )
    const { status, output } = await keys('roll-over', '--json')
    assert.is(status, 0)
    assert.is(JSON.parse(output).keys.filter(({ phase }: Listed) => phase === 'announced').length, 3)
  })

  test('roll-over of the encryption key: it is published later, and to take it out before breaks nothing', async ({
    keys,
  }) => {
    const { output } = await keys('roll-over', 'RSA-OAEP-256')
    assert.match(
      output,
      /\S{43} is made now, and is published at \S+Z\n {2}\S{43} is published until then, and still reads/,
    )
    const text = (await keys('list')).output
    assert.match(text, /\(enc\), announced since \S+Z, \d+ s old\n {2}is published at/)
    assert.match(text, /\(enc\), published since \S+Z, \d+ s old\n {2}retires at \S+Z, and is forgotten at/)
    const announced = listed(await keys('list', '--json')).find(({ phase }) => phase === 'announced')
    assert.match((await keys('compromise', announced?.kid ?? '', '--yes')).output, 'nothing breaks')
  })

  test('compromise asks, says what breaks, and does nothing without a yes', async (context) => {
    const before = await context.keys('list', '--json')
    const kid = listed(before).find(({ alg }) => alg === 'ES256')?.kid ?? ''
    for (const answer of ['', 'no', 'y']) {
      context.answer = answer
      const { status, errors } = await context.keys('compromise', kid)
      assert.is(status, 1)
      assert.match(errors, `Tokens that ${kid} signed do not verify any more`)
      assert.match(errors, 'nothing was done')
    }
    assert.equal(await context.keys('list', '--json'), before)
    context.answer = 'yes'
    const { status, output } = await context.keys('compromise', kid)
    assert.is(status, 0)
    assert.match(output, 'A new key signs at once')
    const after = listed(await context.keys('list', '--json'))
    assert.not.ok(after.some((key) => key.kid === kid))
    assert.is(after.length, 3)
  })

  test('compromise --yes does not ask; an unknown kid tells those that there are', async ({ keys }) => {
    const before = listed(await keys('list', '--json'))
    const unknown = await keys('compromise', 'nobody', '--yes')
    assert.is(unknown.status, 1)
    for (const { kid } of before) assert.match(unknown.errors, kid)
    const kid = before.find(({ alg }) => alg === 'RSA-OAEP-256')?.kid ?? ''
    const { status, output, errors } = await keys('compromise', kid, '--yes')
    assert.equal([status, errors], [0, ''])
    assert.match(output, 'encrypted')
  })

  test('import keeps the kid and signs with it; a file is taken as a whole or not', async ({ keys, directory }) => {
    const before = await keys('list', '--json')
    const good = ecKey('theirs')
    const isPublic = { ...ecKey('public'), d: undefined }
    const refused = await keys('import', writtenKeys(directory, [good, isPublic]))
    assert.is(refused.status, 1)
    assert.match(refused.errors, /\/keys\/1 must be a private key/)
    assert.equal(await keys('list', '--json'), before)
    const dry = await keys('import', writtenKeys(directory, [good]), '--dry-run')
    assert.match(dry.output, /^Nothing was done\. These would be the keys:\n[^]*^theirs$/m)
    assert.equal(await keys('list', '--json'), before)
    const taken = await keys('import', writtenKeys(directory, [good]))
    assert.is(taken.status, 0)
    assert.not.match(taken.output, 'Nothing was done')
    const imported = listed(await keys('list', '--json'))
    assert.is(imported.find(({ kid }) => kid === 'theirs')?.phase, 'signing')
    const again = await keys('import', writtenKeys(directory, [good]))
    assert.is(again.status, 1)
    assert.match(again.errors, 'is or was in the key set')
  })

  test('import of a file that others may read, or that is no JSON, is refused in one line', async ({
    keys,
    directory,
  }) => {
    const shared = await keys('import', writtenKeys(directory, [ecKey('theirs')], 0o644))
    assert.is(shared.status, 1)
    assert.match(shared.errors, /chmod 600/)
    const file = writtenKeys(directory, [])
    writeFileSync(file, '{')
    const broken = await keys('import', file)
    assert.is(broken.status, 1)
    assert.match(broken.errors, /^clientele: .* must hold one JSON object.*\n$/)
    assert.match((await keys('import', join(directory, 'nothing'))).errors, 'ENOENT')
  })

  test('export --public prints the set, and nothing private', async ({ keys }) => {
    const { status, output } = await keys('export', '--public')
    assert.is(status, 0)
    const set: { keys: ReadonlyArray<object> } = JSON.parse(output)
    assert.is(set.keys.length, 3)
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
      assert.not.ok(set.keys.some((key) => Object.hasOwn(key, name)))
    assert.is((await keys('export')).status, 2)
  })

  test.run()
}
