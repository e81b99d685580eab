import type { JsonObject } from '../codec/json-object.js'
import { humanReadableMembers, members } from './members.js'
import { type Member, type MemberProperties, defaultInWords } from './members/member.js'

type Described = Omit<Member<unknown>, 'type'> &
  MemberProperties<unknown> & { readonly type: { readonly schema: JsonObject } }

const described = (member: Described): JsonObject => {
  const byDefault = defaultInWords(member)
  const without = byDefault === undefined ? '' : `Without it: ${byDefault}. `
  return { ...member.type.schema, description: `${member.about}. ${without}${member.reference}` }
}

const memberSchemas = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, described(member)]))

// RFC 7591 §2.2
const taggedSchemas = Object.fromEntries(
  humanReadableMembers.map((name) => [
    `^${name}#`,
    { ...members[name].type.schema, description: `${name} in the language (BCP 47) after #. RFC 7591 §2.2` },
  ]),
)

const importSchemas: JsonObject = {
  preferred_client_id: {
    type: 'string',
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,128}$',
    description: 'The client_id of an imported client',
  },
  preferred_client_secret: {
    type: 'string',
    pattern: '^[ -~]{32,256}$',
    description: 'The client_secret of an imported client',
  },
}

/**
 * The body of a registration as a JSON Schema. It accepts every body that registration accepts, and also some that only
 * rules across members or rules about a value's content refuse.
 */
export const clientMetadataSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'client-metadata.schema.json',
  title: 'OAuth 2.0 client metadata',
  description: 'The body of POST /clients. Members that are not listed are dropped: RFC 7591 §2.',
  type: 'object',
  properties: { ...memberSchemas, ...importSchemas },
  patternProperties: taggedSchemas,
  additionalProperties: true,
}
