// The form of a client's metadata: its fields, and what they say as JSON. A fault stands beside its field, and nothing that
// was typed is lost.
import { type MemberName, isMemberName, members } from '@clientele/domain/client'
import { isPlainObject, mergePatch } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { readJson } from '../http/request.js'
import { utf8 } from '../http/response.js'
import { type ShownFault, type ShownRefusal, memberOf, membersOf } from './asking.js'
import type { Fields } from './page.js'
import { recordedClients } from './recorded-clients.js'

type Kind = 'text' | 'lines' | 'choice' | 'checks' | 'flag'

type Declared = {
  readonly name: MemberName
  readonly label: string
  readonly kind: Kind
  readonly values?: ReadonlyArray<string>
}

const valuesOf = (name: 'token_endpoint_auth_method' | 'application_type'): ReadonlyArray<string> =>
  members[name].type.values

const declared = (name: MemberName, label: string, kind: Kind, values?: ReadonlyArray<string>): Declared => ({
  name,
  label,
  kind,
  ...(values === undefined ? {} : { values }),
})

const groups: ReadonlyArray<{ readonly title: string; readonly fields: ReadonlyArray<Declared> }> = [
  {
    title: 'What people see',
    fields: [
      declared('client_name', 'Name', 'text'),
      declared('client_uri', 'Its page', 'text'),
      declared('logo_uri', 'Its picture', 'text'),
      declared('policy_uri', 'Its privacy policy', 'text'),
      declared('tos_uri', 'Its terms of service', 'text'),
      declared('contacts', 'Contacts', 'lines'),
    ],
  },
  {
    title: 'How it signs people in',
    fields: [
      declared('redirect_uris', 'Redirection URIs', 'lines'),
      declared('application_type', 'Kind of application', 'choice', valuesOf('application_type')),
      declared('grant_types', 'Grants', 'checks', [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'implicit',
      ]),
      declared('response_types', 'Response types', 'checks', ['code', 'id_token', 'code id_token']),
      declared('scope', 'Scope', 'text'),
      declared('token_endpoint_auth_method', 'How it authenticates', 'choice', valuesOf('token_endpoint_auth_method')),
      declared('jwks_uri', 'Address of its keys', 'text'),
      declared('initiate_login_uri', 'Where others start a login', 'text'),
    ],
  },
  {
    title: 'How it signs people out',
    fields: [
      declared('post_logout_redirect_uris', 'Where people return after a logout', 'lines'),
      declared('backchannel_logout_uri', 'Where logout tokens are sent', 'text'),
      declared('backchannel_logout_session_required', 'Logout tokens name the session', 'flag'),
      declared('frontchannel_logout_uri', 'Loaded by the browser at a logout', 'text'),
      declared('frontchannel_logout_session_required', 'It is told the session there', 'flag'),
    ],
  },
  {
    title: 'Whose software it is',
    fields: [declared('software_id', 'Software', 'text'), declared('software_version', 'Version', 'text')],
  },
]

const all: ReadonlyArray<Declared> = groups.flatMap(({ fields }) => fields)
const isInForm = (name: string): boolean => all.some((field) => field.name === name)

/** What is typed in the fields: texts alone, as a browser sends them. */
export type Typed = { readonly values: Readonly<Record<string, ReadonlyArray<string>>>; readonly other: string }

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === 'string')
  return typeof value === 'string' || typeof value === 'boolean' ? [String(value)] : []
}

const isMember = (name: string): boolean => isMemberName(name.split('#')[0] ?? '')

type Metadata = Readonly<Record<string, unknown>>

/** What a client has of the members of metadata. */
export const metadataIn = (client: unknown): Metadata =>
  Object.fromEntries(membersOf(client).filter(([name]) => isMember(name)))

/** The form of a client with this metadata. */
export const typedOf = (metadata: Metadata): Typed => {
  const other = Object.fromEntries(Object.entries(metadata).filter(([name]) => !isInForm(name)))
  return {
    values: Object.fromEntries(all.map(({ name }) => [name, textsOf(memberOf(metadata, name))])),
    other: Object.keys(other).length === 0 ? '' : JSON.stringify(other, undefined, 2),
  }
}

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The form as it was sent. */
export const typedIn = ({ one, all: allOf }: Fields): Typed => ({
  values: Object.fromEntries(
    all.map(({ name, kind }) => {
      if (kind === 'lines') return [name, linesOf(one(name))]
      if (kind === 'checks') return [name, allOf(name)]
      const text = one(name).trim()
      return [name, text === '' ? [] : [text]]
    }),
  ),
  other: one('other'),
})

const valueOf = ({ kind }: Declared, texts: ReadonlyArray<string>): unknown => {
  const [first] = texts
  if (first === undefined) return undefined
  if (kind === 'flag') return first === 'true'
  return kind === 'lines' || kind === 'checks' ? texts : first
}

const otherFault = (description: string): ShownFault => ({ member: 'other', description })

const otherIn = (text: string): E.Either<ShownFault, object> => {
  if (text.trim() === '') return E.right({})
  const json = readJson(utf8(text))
  if (E.isLeft(json)) return E.left(otherFault(json.left.error_description))
  if (typeof json.right !== 'object' || json.right === null || Array.isArray(json.right))
    return E.left(otherFault('Write a JSON object: the members by their names'))
  const taken = Object.keys(json.right).find(isInForm)
  return taken === undefined ? E.right(json.right) : E.left(otherFault(`${taken} has a field of its own above`))
}

/** The metadata that the form says; members that it leaves out are not there. */
export const metadataOf = ({ values, other }: Typed): E.Either<ShownRefusal, Metadata> => {
  const rest = otherIn(other)
  if (E.isLeft(rest))
    return E.left({ status: 400, description: 'The other members are no JSON object', faults: [rest.left] })
  const said = all
    .map((field) => [field.name, valueOf(field, values[field.name] ?? [])] as const)
    .filter(([, value]) => value !== undefined)
  return E.right({ ...Object.fromEntries(said), ...rest.right })
}

// A browser sends the values of boxes in the order of the page.
const inOrder = (name: string, value: unknown): unknown =>
  Array.isArray(value) && all.some((field) => field.name === name && field.kind === 'checks')
    ? value.map(String).sort()
    : value

const isSame = (name: string, one: unknown, other: unknown): boolean =>
  JSON.stringify(inOrder(name, one)) === JSON.stringify(inOrder(name, other))

/** RFC 7591 §2: an empty list says something else than no list, which has a default. */
export const keepingEmpty = (before: Metadata, wanted: Metadata): Metadata => {
  const emptied = all.filter(({ name, kind }) => {
    const list = memberOf(before, name)
    return wanted[name] === undefined && Array.isArray(list) && (kind === 'checks' || list.length === 0)
  })
  return { ...wanted, ...Object.fromEntries(emptied.map(({ name }) => [name, []])) }
}

/** RFC 7396: what makes the members of before those that are wanted; what is gone from an object in a member is null there. */
export const patchOf = (before: Metadata, wanted: Metadata): Metadata => {
  const gone = Object.keys(before).filter((name) => wanted[name] === undefined)
  const changed = Object.entries(wanted).flatMap(([name, value]) => {
    const earlier = memberOf(before, name)
    if (isSame(name, value, earlier)) return []
    return [[name, isPlainObject(value) && isPlainObject(earlier) ? patchOf(earlier, value) : value] as const]
  })
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...changed])
}

/** The metadata after the patch. */
export const patched = (metadata: Metadata, patch: Metadata): Metadata =>
  Object.fromEntries(membersOf(mergePatch(metadata, patch)))

/** The faults with the field in which each was typed: members without one are typed as JSON. */
export const inFields = (faults: ReadonlyArray<ShownFault>): ReadonlyArray<ShownFault> =>
  faults.map((fault) => ({ ...fault, field: isInForm(fault.member) ? fault.member : 'other' }))

/** The fields with what is typed in them, and the faults of each. */
export const formOf = (
  { values, other }: Typed,
  faults: ReadonlyArray<ShownFault>,
): Readonly<Record<string, unknown>> => {
  const faultsOf = (name: string): ReadonlyArray<string> =>
    faults.filter(({ member }) => member === name).map(({ description }) => description)
  return {
    groups: groups.map(({ title, fields }) => ({
      title,
      fields: fields.map(({ name, label, kind, values: choices = [] }) => {
        const typed = values[name] ?? []
        return {
          name,
          label,
          kind,
          about: members[name].about,
          typed,
          choices: [...new Set([...choices, ...(kind === 'checks' || kind === 'choice' ? typed : [])])],
          faults: faultsOf(name),
        }
      }),
    })),
    other,
    otherFaults: faults
      .filter(({ member }) => !isInForm(member))
      .map(({ member, description }) =>
        member === 'other' || member === '' ? description : `${member}: ${description}`,
      ),
  }
}

type Template = {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly client: Readonly<Record<string, unknown>>
}

/** What a new client is, to begin with, by its kind. */
export const templates: ReadonlyArray<Template> = [
  {
    id: 'web',
    title: 'Web application',
    about: 'It has a server, which keeps a secret.',
    client: {
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid profile email offline_access',
    },
  },
  {
    id: 'browser',
    title: 'Application in the browser',
    about: 'It has no server, so that it has no secret: PKCE protects its codes.',
    client: {
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid profile email',
    },
  },
  {
    id: 'installed',
    title: 'Installed application',
    about:
      'A desktop, phone or command-line program (RFC 8252): it returns to the loopback address or to a scheme of its own.',
    client: {
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid profile email offline_access',
    },
  },
  {
    id: 'machine',
    title: 'Service without people',
    about: 'It gets tokens for itself (RFC 6749, section 4.4).',
    client: {
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
]

/** The same as an application in use registers itself. */
export const recordedTemplates: ReadonlyArray<Template> = recordedClients.map(({ id, name, version, metadata }) => ({
  id: `as-${id}`,
  title: name,
  about: version,
  client: metadata,
}))
