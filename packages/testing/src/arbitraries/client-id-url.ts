import * as fc from 'fast-check'
import { type ClientIdUrl, clientIdUrl } from '@clientele/domain/client'

const segment = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019-_~.:@!$&()+,=*'), '%20', '%C3%A9'),
  minLength: 1,
  maxLength: 6,
})
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.constantFrom('', '', '/'))
  .map(([segments, end]) => `/${segments.join('/')}${end}`)
const host = fc.constantFrom('app.example', 'a.b.example', 'xn--caf-dma.example', 'localhost', '127.0.0.1', '[::1]')
const port = fc.oneof(
  { withCrossShrink: true },
  fc.constant(''),
  fc.integer({ min: 1024, max: 65_535 }).map((number) => `:${number}`),
)
const query = fc.oneof({ withCrossShrink: true }, fc.constant(''), fc.constantFrom('?', '?v=2', '?a/../b'))

/** A client_id that is the URL of the client's metadata. */
export const clientIdUrlText = (): fc.Arbitrary<ClientIdUrl> =>
  fc
    .tuple(host, port, path, query)
    .map((parts) => `https://${parts.join('')}`)
    .filter((url): url is ClientIdUrl => clientIdUrl(url).kind === 'url')
