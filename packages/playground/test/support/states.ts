import { validClientMetadata, withOneFault } from '@clientele/testing'
import { registrationScopeValues } from '@clientele/domain/authorization'
import * as fc from 'fast-check'
import { exampleBaseUrl } from '../../src/base-url.js'
import type { State } from '../../src/state.js'

/** Any text, including unpaired surrogates and control characters. */
export const anyText = (maxLength = 200): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), loneSurrogate, markup),
    maxLength,
  })

const loneSurrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))
const markup = fc.constantFrom(
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '\n',
  '\u0000',
  '!',
  '$(',
  '`',
  '</script>',
)

/** JSON of any value that has a JSON text: cyclic values, bigints and undefined have none. */
const jsonText = fc.anything().map((value) => {
  try {
    return JSON.stringify({ value }).slice('{"value":'.length, -1)
  } catch {
    return ''
  }
})

const valid = validClientMetadata()

const metadataText = fc
  .oneof(
    valid,
    valid.map((body) => ({ ...body, client_uri: null, contacts: ['a@rp.example', 'a@rp.example'] })),
    withOneFault(valid).map(({ body }) => body),
    fc.dictionary(
      fc.oneof(fc.constantFrom('redirect_uris', 'jwks', 'data', 'client_name#fr'), anyText(20)),
      fc.jsonValue(),
    ),
  )
  .map((body) => JSON.stringify(body, null, 2))

/** A body as typed or pasted: valid, invalid, truncated, or not JSON. */
export const bodyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    metadataText,
    jsonText,
    anyText(),
    fc.tuple(metadataText, fc.nat()).map(([text, at]) => text.slice(0, at)),
  )

const words = fc.oneof(fc.constantFrom('', 'openid', 'openid profile', ' openid\n'), anyText(30))

const urlText = (): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(''), weight: 4 },
    fc.constantFrom('https://app.example/client.json', 'https://app.example/?q', 'http://app.example/a', 'app.example'),
    anyText(30),
  )

export const state = (): fc.Arbitrary<State> =>
  fc.record(
    {
      mode: fc.constantFrom('open' as const, 'managed' as const),
      openScope: words,
      ticked: fc.subarray([...registrationScopeValues]),
      scopeValues: words,
      body: bodyText(),
      url: urlText(),
      baseUrl: fc.oneof(fc.constantFrom(exampleBaseUrl, 'http://127.0.0.1:8080/op/'), anyText(30)),
    },
    { noNullPrototype: true },
  )
