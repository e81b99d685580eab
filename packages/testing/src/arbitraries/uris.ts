import * as fc from 'fast-check'
import { type ClientIdUrl, clientIdUrl, isRefusedScheme } from '@clientele/domain/client'

const alphanumeric = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
const letters = alphanumeric.slice(0, 52)
const unreserved = [...alphanumeric, '-', '.', '_', '~', '%20', '%C3%A9']
const inPath = [...unreserved, '/', ':', '@', '!', '$', '&', "'", '(', ')', '+', ',', ';', '=']
const inQuery = [...inPath, '?', '*']

// Shrinks to the first alternative, so that counterexamples have no unnecessary part.
const toFirst = { withCrossShrink: true }

const text = (units: ReadonlyArray<string>, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...units), minLength, maxLength })

// Without labels that begin with xn--, because WHATWG URL decodes them.
const label = (): fc.Arbitrary<string> =>
  fc
    .tuple(text(alphanumeric, 1, 4), text([...alphanumeric, '-'], 0, 4), text(alphanumeric, 1, 2))
    .map((parts) => parts.join(''))
    .filter((made) => !/^xn--/i.test(made))

const domainName = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(label(), { minLength: 1, maxLength: 3 }), text(letters, 2, 4))
    .map(([labels, top]) => [...labels, top].join('.'))
    .filter((name) => !/^localhost$/i.test(name))

const publicHost = (): fc.Arbitrary<string> =>
  fc.oneof({ weight: 4, arbitrary: domainName() }, { weight: 1, arbitrary: fc.constant('203.0.113.7') })

const loopbackHost = (): fc.Arbitrary<string> => fc.constantFrom('localhost', '127.0.0.1', '[::1]')

const port = (): fc.Arbitrary<string> =>
  fc.oneof(
    toFirst,
    fc.constant(''),
    fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`),
  )

// RFC 3986 §6.2.2.3: a path without dot segments
const hasDotSegment = (path: string): boolean => path.split('/').some((segment) => segment === '.' || segment === '..')

const path = (): fc.Arbitrary<string> =>
  fc.oneof(
    toFirst,
    fc.constant(''),
    text(inPath, 0, 16)
      .map((made) => `/${made}`)
      .filter((made) => !hasDotSegment(made)),
  )

// RFC 6749 §4.1.2: a query without the parameters of a response
const query = (): fc.Arbitrary<string> =>
  fc.oneof(
    toFirst,
    fc.constant(''),
    text(inQuery, 0, 12)
      .map((made) => `?${made}`)
      .filter((made) => !/(?:code|state|response|error)/.test(made)),
  )

const hierarchical = (scheme: string, host: fc.Arbitrary<string>, ports = port()): fc.Arbitrary<string> =>
  fc.tuple(host, ports, path(), query()).map((parts) => `${scheme}://${parts.join('')}`)

const editors = ['cursor', 'vscode', 'vscode-insiders', 'windsurf']

const withPeriod = (): fc.Arbitrary<string> =>
  fc.tuple(text(letters, 2, 3), text(alphanumeric, 1, 8)).map(([top, name]) => `${top}.${name}`)

const privateUseScheme = (): fc.Arbitrary<string> =>
  fc
    .oneof(toFirst, { weight: 3, arbitrary: withPeriod() }, { weight: 1, arbitrary: fc.constantFrom(...editors) })
    .filter((scheme) => !isRefusedScheme(scheme.toLowerCase()))

const afterScheme = (): fc.Arbitrary<string> =>
  fc.oneof(
    toFirst,
    fc
      .tuple(fc.constantFrom('', '/', '///'), text(inPath, 0, 12))
      .map(([slashes, rest]) => `${slashes}${rest.replace(/^\/+/, '')}`),
    fc.tuple(text([...alphanumeric, '-', '.'], 1, 8), path()).map(([authority, rest]) => `//${authority}${rest}`),
  )

/** RFC 8252 §7.1: a scheme with a period, or an accepted one without, with and without an authority. */
export const privateUseUri = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      privateUseScheme(),
      afterScheme().filter((rest) => !hasDotSegment(rest)),
      query(),
    )
    .map(([scheme, rest, added]) => `${scheme}:${rest}${added}`)

/** For a web client with the implicit grant: https, not on loopback. */
export const implicitRedirectUri = (): fc.Arbitrary<string> => hierarchical('https', publicHost())

/** http on a loopback host, with or without a port: RFC 8252 §7.3. */
export const loopbackRedirectUri = (): fc.Arbitrary<string> => hierarchical('http', loopbackHost())

/** For a web client: https on any host, and http on a loopback host. */
export const webRedirectUri = (): fc.Arbitrary<string> =>
  fc.oneof(implicitRedirectUri(), loopbackRedirectUri(), hierarchical('https', loopbackHost()))

/** For a native client: https, http on a loopback host, or a private-use scheme. */
export const nativeRedirectUri = (): fc.Arbitrary<string> =>
  fc.oneof(implicitRedirectUri(), loopbackRedirectUri(), privateUseUri())

/** For client_uri, logo_uri, policy_uri and tos_uri. */
export const webUri = (): fc.Arbitrary<string> =>
  fc.oneof(hierarchical('https', publicHost()), hierarchical('http', publicHost()))

/** For backchannel_logout_uri and sector_identifier_uri. */
export const fetchedUri = (): fc.Arbitrary<string> =>
  hierarchical(
    'https',
    publicHost(),
    fc.oneof(
      toFirst,
      fc.constantFrom('', ':443'),
      fc.integer({ min: 1_024, max: 65_535 }).map((number) => `:${number}`),
    ),
  )

/** For jwks_uri and issuers. fc.webUrl takes a second of each process: it makes a table of all of Unicode. */
export const httpsUri = (): fc.Arbitrary<string> => hierarchical('https', publicHost())

const segment = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019-_~.:@!$&()+,=*'), '%20', '%C3%A9'),
  minLength: 1,
  maxLength: 6,
})
const documentPath = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.constantFrom('', '', '/'))
  .map(([segments, end]) => `/${segments.join('/')}${end}`)
const documentHost = fc.constantFrom(
  'app.example',
  'a.b.example',
  'xn--caf-dma.example',
  'localhost',
  '127.0.0.1',
  '[::1]',
)
const documentPort = fc.oneof(
  { withCrossShrink: true },
  fc.constant(''),
  fc.integer({ min: 1024, max: 65_535 }).map((number) => `:${number}`),
)
const documentQuery = fc.oneof({ withCrossShrink: true }, fc.constant(''), fc.constantFrom('?', '?v=2', '?a/../b'))

/** A client_id that is the URL of the client's metadata. */
export const clientIdUrlText = (): fc.Arbitrary<ClientIdUrl> =>
  fc
    .tuple(documentHost, documentPort, documentPath, documentQuery)
    .map((parts) => `https://${parts.join('')}`)
    .filter((url): url is ClientIdUrl => clientIdUrl(url).kind === 'url')
