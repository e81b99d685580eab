// src/plain/client-metadata.ts: the type of client metadata for programs without io-ts, made of the members.
import { humanReadableMembers, members } from '../../src/client/members.js'
import type { JsonObject } from '../../src/kernel/json-object.js'
import { memberNames } from '../../src/rules/places.js'
import { withDefaults } from '../../src/client/metadata.js'

type Name = keyof typeof members
type Closed = { readonly name: string; readonly values: ReadonlyArray<unknown> }

const width = 120

const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const valuesOf = ({ enum: values }: JsonObject): ReadonlyArray<unknown> | undefined =>
  Array.isArray(values) ? values : undefined

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** The closed set of a member, with the name of its type: that of its rule, or that of a list in the singular. */
const closedOf = (name: Name): Closed | undefined => {
  const { codec, schema } = members[name].type
  const values = valuesOf(schema)
  if (values !== undefined) return { name: pascalCase(codec.name), values }
  const inList = isObject(schema['items']) ? valuesOf(schema['items']) : undefined
  return inList === undefined ? undefined : { name: pascalCase(name).replace(/s$/, ''), values: inList }
}

// As prettier writes it: in one line, in one line of its own, or in a line for each.
const unionOf = ({ name, values }: Closed): string => {
  const texts = values.map((value) => `'${String(value)}'`)
  const union = texts.join(' | ')
  if (`type ${name} = ${union}`.length <= width) return `type ${name} = ${union}`
  return `  ${union}`.length <= width
    ? `type ${name} =\n  ${union}`
    : [`type ${name} =`, ...texts.map((text) => `  | ${text}`)].join('\n')
}

const simple: Readonly<Record<string, string>> = { integer: 'number', object: 'JsonObject' }

const typeOf = (name: Name): string => {
  const { schema } = members[name].type
  const item = closedOf(name)?.name ?? 'string'
  if (schema['type'] === 'array') return `ReadonlyArray<${item}>`
  const type = String(schema['type'] ?? item)
  return type === 'string' ? item : (simple[type] ?? type)
}

const byDefault = withDefaults({})

const memberLine = (name: Name): string =>
  [
    `  /** ${members[name].about}. ${members[name].reference} */`,
    `  readonly ${name}${Object.hasOwn(byDefault, name) ? '' : '?'}: ${typeOf(name)}`,
  ].join('\n')

const unions = (): string => {
  const closed = memberNames.flatMap((name) => closedOf(name) ?? [])
  return [...new Map(closed.map((each) => [each.name, each])).values()].map(unionOf).join('\n')
}

const variants = (): string =>
  ['type LanguageTagged =', ...humanReadableMembers.map((name) => `  | '${name}'`)].join('\n')

export const plainMetadataSource =
  (): string => `// npm run generate makes this file from the members of client metadata.
import type { JsonObject } from '../kernel/json-object.js'

${unions()}
${variants()}

/** RFC 7591 §2: client metadata, with the members that have a default. */
export interface ClientMetadata {
${memberNames.map(memberLine).join('\n')}
  /** RFC 7591 §2.2: a member in another language, such as client_name#fr. */
  readonly [variant: \`\${LanguageTagged}#\${string}\`]: string | ReadonlyArray<string>
}
`
