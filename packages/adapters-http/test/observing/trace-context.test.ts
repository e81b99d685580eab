import { runParameters } from '@clientele/testing'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRequestId } from '../../src/http/request.js'
import { formatTraceParent, parseTraceParent } from '../../src/trace-context.js'

const hex = (digits: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))
const id = (digits: number): fc.Arbitrary<string> => hex(digits).filter((text) => !/^0+$/.test(text))

const received = fc.record({ traceId: id(32), spanId: id(16), flags: fc.nat(255) })

const field = (flags: number, traceId: string, spanId: string, version = '00'): string =>
  `${version}-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`

const context = suite('trace context')

context('a well-formed field is read, and the flag of the recorded trace is passed on', () => {
  fc.assert(
    fc.property(received, (trace) => {
      const read = parseTraceParent(field(trace.flags, trace.traceId, trace.spanId))
      assert.equal(read, { ...trace })
      assert.equal(parseTraceParent(formatTraceParent(trace)), { ...trace, flags: trace.flags & 1 })
    }),
    runParameters(),
  )
})

context('a later version may have more fields; version 00 may not, and ff is none', () => {
  fc.assert(
    fc.property(received, hex(2), fc.string({ maxLength: 100 }), ({ traceId, spanId, flags }, version, rest) => {
      const more = `${field(flags, traceId, spanId, version)}-${rest}`
      const isRead = version !== '00' && version !== 'ff' && !/[\n\r\u2028\u2029]/.test(rest)
      assert.is(parseTraceParent(more)?.traceId, isRead ? traceId : undefined)
    }),
    runParameters(),
  )
})

context('any other value is no trace, and nothing throws', () => {
  const wrong = ['', '00', field(0, '0'.repeat(32), 'a'.repeat(16)), field(0, 'a'.repeat(32), '0'.repeat(16))]
  const upper = field(1, 'A'.repeat(32), 'b'.repeat(16))
  const twice = `${field(1, 'a'.repeat(32), 'b'.repeat(16))}, ${field(1, 'a'.repeat(32), 'b'.repeat(16))}`
  for (const each of [...wrong, upper, twice]) assert.is(parseTraceParent(each), undefined, each)
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const read = parseTraceParent(value)
      assert.ok(read === undefined || parseTraceParent(formatTraceParent(read))?.traceId === read.traceId)
    }),
    runParameters(),
  )
})

context('an id of a proxy is taken as it is, or not at all', () => {
  for (const each of ['a', '0b6f7c5e-8b1c-4a43-9a2c-1a8a8c3f0d11', 'Root=1-67891233-abcdef012345678912345678'])
    assert.is(parseRequestId(each), each)
  for (const each of ['', 'a b', 'a\n', 'ä', '"', 'x'.repeat(129), ['a']]) assert.is(parseRequestId(each), undefined)
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const read = parseRequestId(value)
      assert.ok(read === undefined || (read === value && /^[\x21-\x7e]{1,128}$/.test(read)))
    }),
    runParameters(),
  )
})

context.run()
