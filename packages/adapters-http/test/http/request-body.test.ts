import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type BodyFormat, readBody, readJson } from '../../src/http/request.js'

const body = suite('the body of a request')

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const read = (given: string | Uint8Array) => readJson(typeof given === 'string' ? bytes(given) : given)

/** Whether a body of the type is read. */
const takes = async (format: BodyFormat, type: string | undefined): Promise<boolean> => {
  const seen = { read: false }
  const body = await readBody(
    format,
    { 'content-type': type },
    async () => {
      seen.read = true
      return E.right(bytes('{}'))
    },
    undefined,
  )
  assert.is(seen.read, E.isRight(body) && E.isRight(body.right))
  return seen.read
}

const isRefused = (result: E.Either<{ readonly error: string }, unknown>): boolean =>
  E.isLeft(result) && result.left.error === 'invalid_request'

const accepted = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/Json ; Charset="utf-8"',
  'application/json;',
]
const refused = [
  undefined,
  '',
  'json',
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json+x',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json, text/html',
  'application/json, application/json',
  'text/html, application/json',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset=',
  'application/json; profile=x',
  'application/json; charset=utf-8; x=y',
  'application/json charset=utf-8',
  'x/y; a=application/json',
  '*/*',
]

body(
  'the type is application/json, with no parameter but the charset UTF-8, in any case; another is not read',
  async () => {
    for (const type of accepted) assert.ok(await takes('json', type), type)
    for (const type of refused) assert.not.ok(await takes('json', type), String(type))
  },
)

body('a type with a million blanks is read as fast as any other', async () => {
  const blanks = ' \t'.repeat(500_000)
  for (const type of ['application/json', 'application/json;', 'application/json; charset=utf-8', 'application/json;;'])
    assert.not.ok(await takes('json', `${type}${blanks}x`), type)
  assert.not.ok(await takes('form', `application/x-www-form-urlencoded${blanks}x`))
  assert.ok(await takes('json', `application/json${blanks};${blanks}charset=utf-8${blanks};${blanks}`))
})

const notJson = [
  '',
  ' ',
  '\n',
  '{',
  '{"a":1',
  '{"a":1,}',
  '[1,]',
  "{'a':1}",
  '{a:1}',
  '// x\n{}',
  '/* */{}',
  'NaN',
  'Infinity',
  '01',
  '+1',
  '.5',
  '{}{}',
  '{} x',
  'undefined',
  '\u00a0{}',
  '\u0000',
  '{"a":"\n"}',
  '"\\x41"',
  'tru',
  '\ufeff{}',
]

body('what is not one JSON text is invalid_request (RFC 8259)', () => {
  for (const text of notJson) assert.ok(isRefused(read(text)), JSON.stringify(text))
})

body('an empty body is told from one that is broken, with the remedy', () => {
  const result = read('')
  assert.ok(E.isLeft(result))
  assert.match(result.left.error_description, /empty: send a JSON object/)
})

const illFormed = [
  [0x80],
  [0xff],
  [0xfe],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xf0, 0x80, 0x80, 0xaf],
  [0xc3],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xc3, 0x28],
]

body('UTF-8 that is ill-formed, over-long or of a surrogate is invalid_request, never U+FFFD', () => {
  for (const sequence of illFormed) {
    const given = Buffer.concat([bytes('{"client_name":"a'), Buffer.from(sequence), bytes('b"}')])
    const result = read(given)
    assert.ok(isRefused(result), sequence.map((byte) => byte.toString(16)).join(' '))
  }
})

body('UTF-16 and UTF-32, with or without a mark, are invalid_request', () => {
  const utf16 = Buffer.from('{"a":1}', 'utf16le')
  for (const given of [utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), Buffer.from(utf16).swap16()])
    assert.ok(isRefused(read(given)))
})

const unsafe = [
  '{"a":1,"a":2}',
  '{"scope":"openid","\\u0073cope":"admin"}',
  '{"data":{"b":1,"b":1}}',
  '{"a":"\\ud800"}',
  '{"\\udc00":1}',
  '{"a":"x\\u0000y"}',
  '{"__proto__":{"isAdmin":true}}',
  '{"data":{"__proto__":1}}',
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`,
]

body('repeated members, lone surrogates, NUL, __proto__ and deep nesting are invalid_request', () => {
  for (const text of unsafe) assert.ok(isRefused(read(text)), text.slice(0, 60))
  assert.is(Reflect.get({}, 'isAdmin'), undefined)
})

body('whatever JSON can say is read as it was written', () => {
  const safe = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
  fc.assert(
    fc.property(safe, (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/\\u(0000|d[89a-f])/i.test(text))
      assert.equal(read(text), E.right(JSON.parse(text)))
    }),
  )
})

body('no bytes whatever make it throw, and a refusal never repeats them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 64 }), (given) => {
      const result = read(given)
      if (E.isLeft(result)) assert.match(result.left.error_description, /^The [ -~]{5,200}$/)
    }),
    { examples: [[Uint8Array.of(0x7b)]] },
  )
  const secret = read('{"client_secret":"s3cret-value"')
  assert.not.match(JSON.stringify(secret), /s3cret/)
})

body('a JWT is read by the routes that may take one, and by no other', async () => {
  for (const type of ['application/jwt', 'Application/JWT ;']) {
    assert.is(await takes('json-or-jwt', type), true, type)
    assert.is(await takes('json', type), false, type)
  }
  for (const type of accepted) assert.is(await takes('json-or-jwt', type), true, type)
  for (const type of refused) assert.is(await takes('json-or-jwt', type), false, String(type))
})

body.run()
