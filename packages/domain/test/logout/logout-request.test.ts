import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type LogoutParameters, readLogoutRequest, singleValue } from '../../src/logout/hint.js'
import { anyText, law, wellFormedState } from '@clientele/testing'

const Request = suite('readLogoutRequest')
const it = law(Request)

const decisive = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id']
const names = fc.oneof(
  fc.constantFrom(...decisive, 'logout_hint', 'ui_locales', '__proto__', 'constructor', 'toString', 'repeated'),
  anyText(),
)
const parameters: fc.Arbitrary<LogoutParameters> = fc.dictionary(names, fc.array(anyText(), { maxLength: 3 }), {
  maxKeys: 8,
})

const sentAs = (sent: LogoutParameters, name: string): ReadonlyArray<string> =>
  (Object.entries(sent).find(([each]) => each === name)?.[1] ?? []).filter((value) => value !== '')

it('whatever is sent, what is read was sent once, and by that name', [parameters], (sent) => {
  const { idTokenHint, postLogoutRedirectUri, state, clientId } = readLogoutRequest(sent)
  const read = [idTokenHint, postLogoutRedirectUri, state, clientId]
  read.forEach((value, index) => {
    if (value !== undefined) assert.equal(sentAs(sent, decisive[index] ?? ''), [value])
  })
})

it(
  'hint, URI and client_id that are sent once are read, as they are',
  [anyText(), anyText(), anyText()],
  (...texts) => {
    const [hint, uri, id] = texts
    const read = readLogoutRequest({ id_token_hint: [hint], post_logout_redirect_uri: [uri], client_id: [id] })
    const expected = texts.map((text) => (text === '' ? undefined : text))
    assert.equal([read.idTokenHint, read.postLogoutRedirectUri, read.clientId], expected)
  },
)

it('a parameter that decides and is sent twice is told, and no other', [parameters], (sent) => {
  const twice = decisive.some((name) => sentAs(sent, name).length > 1)
  assert.is(readLogoutRequest(sent).repeated, twice)
})

it(
  'of two values none is chosen, be they equal',
  [parameters, fc.constantFrom(...decisive), fc.constantFrom('good', 'evil'), anyText()],
  (sent, name, value, other) => {
    const doubled = { ...sent, [name]: [value, other === '' ? value : other] }
    assert.is(singleValue(doubled, name), undefined)
    assert.ok(readLogoutRequest(doubled).repeated)
  },
)

it(
  'a parameter without a value is as one that is left out (RFC 6749 §3.1)',
  [parameters, fc.constantFrom(...decisive)],
  (sent, name) => {
    const values = Object.hasOwn(sent, name) ? (sent[name] ?? []) : []
    const emptied = { ...sent, [name]: ['', ...values, ''] }
    assert.equal(readLogoutRequest(emptied), readLogoutRequest(sent))
  },
)

it(
  'what has another name changes nothing',
  [parameters, names, fc.array(anyText(), { maxLength: 3 })],
  (sent, name, values) => {
    if (decisive.includes(name)) return
    const entries = [...Object.entries(sent), [name, values] as const]
    assert.equal(readLogoutRequest(Object.fromEntries(entries)), readLogoutRequest(sent))
  },
)

it('a state that can come back in a URL is read as it is', [wellFormedState()], (state) =>
  assert.is(readLogoutRequest({ state: [state] }).state, state),
)

it('a state with half a character is left out, and is no repetition', [anyText()], (text) => {
  if (text.isWellFormed()) return
  const { state, repeated } = readLogoutRequest({ state: [text] })
  assert.equal([state, repeated], [undefined, false])
})

it('a state of more than 4,096 characters is left out, and one of as many is not', [fc.nat(100_000)], (length) => {
  const text = 'x'.repeat(length)
  const expected = length > 0 && length <= 4_096 ? text : undefined
  assert.is(readLogoutRequest({ state: [text] }).state, expected)
})

Request('what every object has was not sent', () => {
  for (const name of ['constructor', 'toString', '__proto__']) assert.is(singleValue({}, name), undefined, name)
})

Request('4,096 characters are read, and one more is not', () => {
  assert.is(readLogoutRequest({ state: ['x'.repeat(4_096)] }).state, 'x'.repeat(4_096))
  assert.is(readLogoutRequest({ state: ['x'.repeat(4_097)] }).state, undefined)
})

Request.run()
