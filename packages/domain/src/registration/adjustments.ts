// RFC 7591 §2, §3.2.1: what registration sets or leaves out although the client did not ask for it, with the reason.
import { isPlainObject, ownMember } from '../codec/json-object.js'
import type { ClientMetadata } from '../client/client-metadata.js'

/** Adjustments by id: the member, and the text that follows its name. */
export const adjustmentTexts = {
  'application-type-inferred': [
    'application_type',
    'is native, because it was left out and redirect_uris are those of an installed application: send application_type to choose',
  ],
  'application-type-replaced': [
    'application_type',
    'is native in place of web, because redirect_uris have private-use schemes: send native',
  ],
  'response-types-narrowed': [
    'response_types',
    'has those that the authorization server does, and the others were left out: see response_types_supported',
  ],
  'scope-empty': ['scope', 'was left out, because it names no scope value: send at least one, or leave it out'],
} as const

export type AdjustmentId = keyof typeof adjustmentTexts

export type Adjustment = {
  /** RFC 6901 */
  readonly pointer: string
  readonly rule: AdjustmentId
  readonly description: string
}

const adjustment = (rule: AdjustmentId): Adjustment => {
  const [member, text] = adjustmentTexts[rule]
  return { pointer: `/${member}`, rule, description: `${member} ${text}` }
}

const typeRules: ReadonlyMap<unknown, AdjustmentId> = new Map([
  [undefined, 'application-type-inferred'],
  ['web', 'application-type-replaced'],
])

// The claims of a software statement set members as well, so that nothing is said about these members of such a client.
const hasStatement = (body: Readonly<Record<string, unknown>>): boolean =>
  ownMember(body, 'software_statement') !== undefined

const typeRule = (body: Readonly<Record<string, unknown>>, { application_type }: ClientMetadata) =>
  application_type === 'native' && !hasStatement(body) ? typeRules.get(ownMember(body, 'application_type')) : undefined

const isNarrowed = (body: Readonly<Record<string, unknown>>, { response_types }: ClientMetadata): boolean => {
  const sent = ownMember(body, 'response_types')
  return Array.isArray(sent) && sent.length > response_types.length && !hasStatement(body)
}

/** The adjustments of a body that was registered as this metadata. */
export const adjustmentsOf = (body: unknown, metadata: ClientMetadata): ReadonlyArray<Adjustment> => {
  if (!isPlainObject(body)) return []
  const type = typeRule(body, metadata)
  return [
    ...(type === undefined ? [] : [adjustment(type)]),
    ...(isNarrowed(body, metadata) ? [adjustment('response-types-narrowed')] : []),
    ...(ownMember(body, 'scope') === '' ? [adjustment('scope-empty')] : []),
  ]
}
