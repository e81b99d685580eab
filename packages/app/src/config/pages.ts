// Whose pages end-users see, what those of consent say, and pages beside them.
import type { Service } from '@clientele/adapters-http'
import type { ConsentPolicy, ProtectedName } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { errorReason } from './files.js'
import {
  type Parse,
  type Values,
  boolean,
  choice,
  clientId,
  commas,
  list,
  matching,
  optional,
  originOrAny,
  pathOf,
  semicolons,
  setting,
  several,
  spaces,
} from './values.js'

const name = matching(
  'a name of 1 to 80 characters, without line breaks and control characters',
  (text) => text.trim() === text && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,80}$/u.test(text),
)

const color: Parse<string> = (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? E.right(text.toLowerCase()) : E.left('a colour as #rrggbb, such as #1f4fd0')

const url = matching(
  'a URL such as https://www.example.com/, or a path such as /',
  (text) => (/^https?:\/\/[^\s"<>]+$/.test(text) && URL.canParse(text)) || /^\/(?![/\\])[^\s"<>]*$/.test(text),
)

const namesRule =
  'names with the hosts that may have them, such as Example Bank=bank.example;Acme=acme.example,acme.test'

// A host, and all below it
const hostName = /^(?!.*(?:^|\.)\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

const protectedName: Parse<ProtectedName> = (text) => {
  const [written = '', ...rest] = text.split('=')
  const hosts = rest
    .join('=')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  return pipe(
    name(written.trim()),
    E.filterOrElse(
      () => hosts.every((host) => hostName.test(host)),
      () => namesRule,
    ),
    E.mapLeft(() => namesRule),
    E.map((known) => ({ name: known, hosts })),
  )
}

const pictureTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** Every page contains the picture. */
const maxPicture = 65_536

const pictureRule = 'the path of an .svg, .png, .jpg, .webp or .gif file of at most 64 KiB'

// The size is read first, so that a large file is not read.
const bytesOf = (path: string): E.Either<string, Buffer> =>
  pipe(
    E.tryCatch(
      () => {
        const { size } = statSync(path)
        return size > 0 && size <= maxPicture ? readFileSync(path) : size
      },
      (error) => `cannot be read: ${errorReason(error)}`,
    ),
    E.flatMap((read) => (typeof read === 'number' ? E.left(`has ${read} bytes`) : E.right(read))),
    E.mapLeft((fault) => `${pictureRule}, and this ${fault}`),
  )

/** The picture as a data: URI (RFC 2397). */
const readPicture: Parse<string> = (path) => {
  const type = pictureTypes[extname(path).toLowerCase()]
  if (type === undefined) return E.left(pictureRule)
  return pipe(
    bytesOf(path),
    E.map((bytes) => `data:${type};base64,${bytes.toString('base64')}`),
  )
}

export const pageSection = {
  'service-name': optional('The name of the service on its pages for end-users', {
    values: 'text',
    fallbackText: 'the host of base-url',
    parse: name,
  }),
  'service-logo': optional('A picture beside service-name; pages contain it as a data: URI', {
    values: 'path of an SVG, PNG, JPEG, WebP or GIF file of at most 64 KiB',
    parse: readPicture,
    shown: (uri) => `${uri.slice(0, uri.indexOf(','))}, ${uri.length} characters`,
  }),
  'service-color': optional(
    'The colour of buttons and links; pages make it darker or lighter where text would be hard to read',
    { values: '#rrggbb', fallbackText: 'blue', parse: color },
  ),
  'service-url': optional('Where the link leads on a page that asks the end-user nothing more', {
    values: 'URL or path',
    fallbackText: 'the base URL',
    parse: url,
  }),
  'protected-names': setting<ReadonlyArray<ProtectedName>>(
    'Names that only some applications may have, each with the hosts of these applications; a host stands for all below it as well. The consent page warns the end-user if another application has such a name or a similar one',
    {
      values: 'NAME=HOST,HOST separated by semicolons',
      fallback: [],
      fallbackText: 'none',
      parse: list(semicolons, protectedName),
      shown: (names) => names.map((each) => `${each.name}=${each.hosts.join(',')}`).join(';'),
    },
  ),
  'first-party-clients': several(
    'Applications of the operator, which get what they ask for without a consent page, unless the request has prompt=consent. Only clients that the master token registered count',
    'client_id separated by spaces',
    list(spaces, clientId),
  ),
  'consent-details': choice(
    'The applications to whose policy_uri and tos_uri the consent page has links, and whose picture at logo_uri it shows (with outbound-fetches), and to whose initiate_login_uri the page /consents has a link. vouched: those for which the operator, a software statement or the host of a document vouches (for a picture, only a host that the lists in metadata_documents of the registration policy name); all: every application',
    ['vouched', 'all'],
    'vouched',
    ' or ',
  ),
  'sign-in-opener-policy': choice(
    'The Cross-Origin-Opener-Policy of the pages of login and consent. With unsafe-none, an application that opens them in a popup keeps its connection with the popup, for libraries that answer by window.opener; it can then also lead the popup elsewhere',
    ['same-origin', 'unsafe-none'],
    'same-origin',
    ' or ',
  ),
} as const

export const webSection = {
  playground: optional(
    'Whether there is a page, /playground below the base URL, where any visitor can try what the service would register. The page shows the registration policy',
    {
      values: 'true or false',
      fallbackText: 'true if the host of the base URL is loopback, otherwise false',
      parse: boolean,
    },
  ),
  console: optional(
    'Whether operators have a console in the browser: /console on the management port, or below the base URL if there is no such port. They sign in with their tokens',
    {
      values: 'true or false',
      fallbackText: 'true if there is a management-port or the host of the base URL is loopback, otherwise false',
      parse: boolean,
    },
  ),
  'cors-origins': several(
    'The origins whose web pages may send requests for registrations, and requests of any client to the authorization server (CORS); * is any origin',
    'origins separated by commas, or *',
    list(commas, originOrAny),
  ),
} as const

/** Whose pages these are. */
export const serviceOf = (
  config: Values<typeof pageSection> & { readonly 'base-url': string | undefined },
): Service => {
  const baseUrl = config['base-url']
  return {
    name: config['service-name'] ?? (baseUrl === undefined ? 'localhost' : new URL(baseUrl).host),
    logo: config['service-logo'],
    color: config['service-color'],
    url: config['service-url'] ?? `${baseUrl === undefined ? '' : pathOf(baseUrl)}/`,
  }
}

export const consentPolicy = (config: Values<typeof pageSection>): ConsentPolicy => ({
  protectedNames: config['protected-names'],
  firstPartyClients: config['first-party-clients'],
  showsUnvouched: config['consent-details'] === 'all',
})
