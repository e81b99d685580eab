import * as E from 'fp-ts/lib/Either.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HintFault } from '@clientele/domain/logout'
import {
  type Read,
  base64url,
  claims,
  reading,
  sealedTo,
  signedText,
  signedWith,
} from '../../adapters-http/test/support/hints.js'
import { keyFor, ringWith } from '../../adapters-http/test/support/keys.js'

const any = suite('any ID token hint')

const runs = Number(process.env['PROPERTY_RUNS'] ?? 200)

const ed = await keyFor('EdDSA')
const ec = await keyFor('ES256')
const rsa = await keyFor('RS256')
const encryption = await keyFor('RSA-OAEP-256')
const read = reading([
  ringWith('EdDSA', ed),
  ringWith('ES256', ec),
  ringWith('RS256', rsa),
  ringWith('RSA-OAEP-256', encryption, 'enc'),
])
const signed = await Promise.all([
  signedWith(ed, { alg: 'EdDSA' }),
  signedWith(ec, { alg: 'ES256' }),
  signedWith(rsa, { alg: 'RS256' }),
])
const sealed = await Promise.all(
  signed.flatMap((hint) => [sealedTo(encryption, hint), sealedTo(encryption, hint, { kid: null })]),
)

/** The expected claims, or a fault by its code. */
const answers = async (reader: Read, hint: string, expected?: unknown): Promise<void> => {
  const result = await reader(hint)
  if (E.isLeft(result)) assert.ok(HintFault.is(result.left))
  else assert.equal(result.right.claims, expected)
}

const characters = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,2}$/),
  fc.constantFrom('-', '_', '.', '=', '+', '/', ' ', ''),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
)

const altered = (hints: ReadonlyArray<string>) =>
  fc
    .record({
      hint: fc.constantFrom(...hints),
      place: fc.nat(),
      length: fc.constantFrom(0, 1, 1, 1, 2, 40),
      by: characters,
    })
    .map(({ hint, place, length, by }) => {
      const start = place % (hint.length + 1)
      return `${hint.slice(0, start)}${by}${hint.slice(start + length)}`
    })

const holds = (arbitrary: fc.Arbitrary<string>, expected?: unknown, numRuns = runs) =>
  fc.assert(
    fc.asyncProperty(arbitrary, (hint) => answers(read, hint, expected)),
    { numRuns, includeErrorInReport: true },
  )

any('a text of any kind is refused by a code, and nothing is thrown', async () => {
  await holds(fc.string())
  await holds(fc.string({ unit: 'binary' }))
  await holds(fc.array(fc.base64String(), { maxLength: 6 }).map((parts) => parts.join('.')))
})

any('an altered signed hint never has other claims', () => holds(altered(signed), claims, 5 * runs))

any('an altered encrypted hint never has other claims', () => holds(altered(sealed), claims))

any('no single character of a signed hint can be another', async () => {
  const [hint] = signed
  for (let place = 0; place < hint.length; place += 1) {
    const other = hint[place] === 'A' ? 'B' : 'A'
    const result = await read(`${hint.slice(0, place)}${other}${hint.slice(place + 1)}`)
    assert.ok(E.isLeft(result), `at ${place}`)
  }
})

const header = fc.record(
  {
    alg: fc.oneof(fc.constantFrom('EdDSA', 'ES256', 'RS256', 'none', 'HS256', 'RSA-OAEP-256', 'dir'), fc.jsonValue()),
    kid: fc.oneof(fc.constantFrom(ed.kid, ec.kid, rsa.kid, encryption.kid), fc.jsonValue()),
    enc: fc.oneof(fc.constantFrom('A128GCM', 'A256CBC-HS512'), fc.jsonValue()),
    typ: fc.oneof(fc.constantFrom('JWT', 'at+jwt'), fc.jsonValue()),
    crit: fc.jsonValue(),
    zip: fc.jsonValue(),
    b64: fc.jsonValue(),
    jwk: fc.constant(ed.jwk),
  },
  { requiredKeys: ['alg', 'kid'] },
)

any('whatever the header says, nothing counts that we did not sign', () =>
  holds(
    fc
      .record({ header, payload: fc.jsonValue(), rest: fc.array(fc.base64String(), { minLength: 1, maxLength: 4 }) })
      .map(({ header: fields, payload, rest }) =>
        [JSON.stringify(fields), JSON.stringify(payload), ...rest].map(base64url).join('.'),
      ),
  ),
)

any('every object that we sign comes back as it is', () =>
  fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 })), async (object) => {
      const text = JSON.stringify(object)
      const result = await read(signedText(ed, `{"alg":"EdDSA","kid":"${ed.kid}"}`, text))
      if (E.isRight(result)) assert.is(JSON.stringify(result.right.claims), JSON.stringify(JSON.parse(text)))
      else assert.ok(/__proto__|\\u0000/.test(text) && result.left === 'hint_malformed', text)
    }),
    { numRuns: runs, includeErrorInReport: true },
  ),
)

any.run()
