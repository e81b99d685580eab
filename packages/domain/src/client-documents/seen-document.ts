import type * as O from 'fp-ts/lib/Option.js'
import type { ReadStatement } from '../client/software-statement.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import type { DocumentPolicy } from '../policy/document-policy.js'

/** RFC 9111 §5.2.2, §5.1, §5.3: what a response says about caching, in seconds. */
export type CacheFacts = {
  readonly max_age?: number
  readonly s_maxage?: number
  /** Expires less Date. */
  readonly expires_in?: number
  /** How long caches on the way have kept the response. */
  readonly age?: number
  /** Whether it has no-store, no-cache or private. */
  readonly no_cache?: boolean
}

/** What was seen at the URL of a document: an answer, or none. */
export type SeenDocument =
  | { readonly kind: 'unreachable'; readonly at: EpochSeconds }
  | {
      readonly kind: 'answered'
      readonly at: EpochSeconds
      readonly status: number
      /** In lower case, without parameters. */
      readonly media_type: string
      /** The parsed JSON, or undefined. */
      readonly body: unknown
      /** The claims of the software statement in the body, as for a registration. */
      readonly statement: O.Option<ReadStatement>
      readonly cache: CacheFacts
    }

// RFC 9111 §4.2.1: a shared cache takes s-maxage before max-age, and max-age before Expires.
const lifetime = (facts: Readonly<Record<string, unknown>>): number => {
  if (ownMember(facts, 'no_cache') === true) return 0
  const given = ['s_maxage', 'max_age', 'expires_in'].map((name) => ownMember(facts, name))
  return given.find((value): value is number => typeof value === 'number' && value >= 0) ?? 0
}

/**
 * -02 §5.2 (-00 §4.4), RFC 9111 §4.2: for how many seconds a document is fresh. The policy bounds it, whatever the
 * response says; a response that says nothing gets the least.
 */
export const freshnessOf = (
  { least_freshness, greatest_freshness }: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
  cache: unknown,
): number => {
  const facts = isPlainObject(cache) ? cache : {}
  const age = ownMember(facts, 'age')
  const left = lifetime(facts) - (typeof age === 'number' && age > 0 ? age : 0)
  // Infinity less Infinity is no number, and fresh for no time.
  const seconds = Number.isNaN(left) ? 0 : left
  return Math.floor(Math.min(greatest_freshness, Math.max(least_freshness, seconds)))
}

/** When another request is due. */
export const freshnessEnd = (
  policy: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
  at: EpochSeconds,
  cache: CacheFacts,
): EpochSeconds => secondsAfter(at, freshnessOf(policy, cache))

/** Why a URL shows no document. */
export type NoDocument = 'document-withdrawn' | 'document-unreachable' | 'document-json'

type Answer = Extract<SeenDocument, { readonly kind: 'answered' }>
type FoundDocument =
  | { readonly kind: 'none'; readonly rule: NoDocument }
  | ({ readonly kind: 'found'; readonly body: Readonly<Record<string, unknown>> } & Pick<Answer, 'statement' | 'cache'>)

const none = (rule: NoDocument): FoundDocument => ({ kind: 'none', rule })

// -02 §4: application/json, or a type of its own that ends with +json
const isJsonType = (type: string): boolean => /^application\/(?:json|[\w.-]+\+json)$/.test(type)

/** The document, or why there is none. -02 §5: every status but 200 is an error. */
export const documentIn = (seen: SeenDocument): FoundDocument => {
  if (seen.kind === 'unreachable') return none('document-unreachable')
  const { status, media_type, body, statement, cache } = seen
  // RFC 9110 §15.5.5, §15.5.11
  if (status === 404 || status === 410) return none('document-withdrawn')
  if (status !== 200) return none('document-unreachable')
  return isJsonType(media_type) && isPlainObject(body)
    ? { kind: 'found', body, statement, cache }
    : none('document-json')
}

/** Whether there is a JSON object, valid or not. */
export const showsDocument = (seen: SeenDocument): boolean => documentIn(seen).kind === 'found'
