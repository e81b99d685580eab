import * as fc from 'fast-check'
import { type ClientIdUrl, clientIdUrl } from '@clientele/domain'

const segment = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019-_~.:@!$&()+,;=*'), '%20', '%C3%A9'),
  maxLength: 6,
})
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
    .tuple(host, port, fc.array(segment, { minLength: 1, maxLength: 3 }), query)
    .map(([name, number, segments, parameters]) => `https://${name}${number}/${segments.join('/')}${parameters}`)
    .filter((url): url is ClientIdUrl => clientIdUrl(url).kind === 'url')
