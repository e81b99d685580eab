import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookUp } from '../src/look-up.js'
import { OutboundError } from '../src/outbound-failure.js'
import { type Answers, type NameServer, startNameServer } from './support/name-server.js'

const LookUp = suite('the addresses of a name')

const asking = async (answers: Answers, test: (names: NameServer) => Promise<void>): Promise<void> => {
  const names = await startNameServer(answers)
  try {
    await test(names)
  } finally {
    await names.stop()
  }
}

const patient = (): AbortSignal => new AbortController().signal

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error).split(':')[0]

const found = async (name: string, { servers }: Pick<NameServer, 'servers'>, lookupTimeout = 5_000) => {
  try {
    return await lookUp(name, { servers, lookupTimeout, signal: patient() })
  } catch (error) {
    if (error instanceof OutboundError) return error.kind
    return codeOf(error)
  }
}

LookUp('all of both kinds', () =>
  asking({ 'both.example': ['192.0.2.1', '2001:db8::1', '192.0.2.2'] }, async (names) => {
    assert.equal(await found('both.example', names), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    assert.equal(await found('BOTH.example.', names), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  }),
)

LookUp('where there is one kind only, those', () =>
  asking({ 'four.example': ['192.0.2.1'], 'six.example': ['2001:db8::1'] }, async (names) => {
    assert.equal(await found('four.example', names), ['192.0.2.1'])
    assert.equal(await found('six.example', names), ['2001:db8::1'])
  }),
)

LookUp('that there is none is the fault of the name, as name servers say it', () =>
  asking({ 'none.example': 'NXDOMAIN', 'empty.example': [] }, async (names) => {
    for (const name of ['none.example', 'empty.example', 'a..example', `${'x'.repeat(64)}.example`])
      assert.is(await found(name, names), 'failed', name)
  }),
)

LookUp('name servers that cannot tell, refuse or are not there say nothing of the name', () =>
  asking({ 'broken.example': 'SERVFAIL', 'refused.example': 'REFUSED' }, async (names) => {
    assert.is(await found('broken.example', names), 'ESERVFAIL')
    assert.is(await found('refused.example', names), 'EREFUSED')
    assert.is(await found('any.example', { servers: ['127.0.0.1:9'] }), 'ECONNREFUSED')
    assert.is(await found('silent.example', names, 200), 'ETIMEOUT')
  }),
)

LookUp('a lookup ends when it is called off', () =>
  asking({}, async ({ servers, requested }) => {
    const controller = new AbortController()
    const began = performance.now()
    const lookup = lookUp('silent.example', { servers, lookupTimeout: 20_000, signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    assert.is(await lookup.catch(codeOf), 'ECANCELLED')
    assert.ok(performance.now() - began < 10_000)
    const late = lookUp('silent.example', { servers, lookupTimeout: 20_000, signal: controller.signal })
    assert.is(await late.catch(codeOf), 'AbortError')
    assert.equal(new Set(requested), new Set(['silent.example']))
  }),
)

LookUp('a hundred lookups that no server answers hold up none that it does', () =>
  asking({ 'sound.example': ['192.0.2.1'] }, async ({ servers }) => {
    const controller = new AbortController()
    const options = { servers, lookupTimeout: 20_000, signal: controller.signal }
    const silent = Array.from({ length: 100 }, (_, index) =>
      lookUp(`a${index}.silent.example`, options).catch(() => 'called off'),
    )
    const began = performance.now()
    assert.equal(await lookUp('sound.example', options), ['192.0.2.1'])
    assert.ok(performance.now() - began < 5_000)
    controller.abort()
    assert.equal(new Set(await Promise.all(silent)), new Set(['called off']))
  }),
)

LookUp('localhost is loopback, and invalid has no address, without anybody being asked (RFC 6761 §6.3, §6.4)', () =>
  asking({ localhost: ['192.0.2.1'], 'a.localhost': ['192.0.2.1'], 'a.invalid': ['192.0.2.1'] }, async (names) => {
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.LocalHost.'])
      assert.equal(await found(name, names), ['127.0.0.1'], name)
    for (const name of ['invalid', 'a.invalid', 'a.INVALID.']) assert.equal(await found(name, names), [], name)
    assert.equal(names.requested, [])
  }),
)

LookUp.run()
