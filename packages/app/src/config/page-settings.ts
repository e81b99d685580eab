import type { ProtectedName } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readPicture } from './values/picture.js'
import { optional, several } from './values/setting-kinds.js'
import type { Parse, Setting } from './values/setting.js'
import { clientId, list, spaces } from './values/values.js'

const nameRule = 'a name of 1 to 80 characters, without line breaks and control characters'

const name: Parse<string> = (text) =>
  text.trim() === text && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,80}$/u.test(text) ? E.right(text) : E.left(nameRule)

const color: Parse<string> = (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? E.right(text.toLowerCase()) : E.left('a colour as #rrggbb, such as #1f4fd0')

const url: Parse<string> = (text) =>
  (/^https?:\/\/[^\s"<>]+$/.test(text) && URL.canParse(text)) || /^\/(?![/\\])[^\s"<>]*$/.test(text)
    ? E.right(text)
    : E.left('a URL such as https://www.example.com/, or a path such as /')

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

/** Whose pages end-users see, and what those of consent say. */
export const pageSettings = {
  'service-name': optional<string>({
    description: 'Whose pages these are, for end-users',
    values: 'text',
    fallbackText: 'the host of base-url',
    parse: name,
  }),
  'service-logo': optional<string>({
    description: 'A picture beside the name; pages contain it as a data: URI',
    values: 'path of an SVG, PNG, JPEG, WebP or GIF file of at most 64 KiB',
    fallbackText: 'none',
    parse: readPicture,
    shown: (uri) => `${uri.slice(0, uri.indexOf(','))}, ${uri.length} characters`,
  }),
  'service-color': optional<string>({
    description: 'The colour of buttons and links; pages make it darker or lighter where it could not be read',
    values: '#rrggbb',
    fallbackText: 'blue',
    parse: color,
  }),
  'service-url': optional<string>({
    description: 'Where pages lead that have nothing more to ask',
    values: 'URL or path',
    fallbackText: 'the base URL',
    parse: url,
  }),
  'protected-names': {
    description:
      'Names that the consent page warns of when another application has one like them: each with the hosts, and all below them, whose applications may have it',
    values: 'NAME=HOST,HOST separated by semicolons',
    fallback: [],
    fallbackText: 'none',
    parse: list(/\s*;\s*/, protectedName),
    shown: (names) => names.map((each) => `${each.name}=${each.hosts.join(',')}`).join(';'),
  } satisfies Setting<ReadonlyArray<ProtectedName>>,
  'first-party-clients': several(
    'Applications of the operator, which get what they ask for without a consent page; only those that the master token registered',
    'client_id separated by spaces',
    spaces,
    clientId,
  ),
} as const
