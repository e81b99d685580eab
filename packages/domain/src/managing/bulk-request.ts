// The body of an operation on all clients that a filter selects.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/credential.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import { type InvalidRequest, invalidRequest } from '../errors.js'
import { type ClientFilter, filterNames } from './client-filter.js'
import { type Parameters, decodeFilter, unknownParameter } from './decode-query.js'

export type BulkChange = 'suspension' | 'resumption' | 'removal'

/** What is left of a change of so many confirmed clients: those after one position, up to another. */
export type Rest = { readonly count: number; readonly after: number; readonly until: number }

/** Counts, or begins, or goes on after the clients of the batches before. */
export type BulkRequest = { readonly filter: ClientFilter } & (
  { readonly kind: 'count' } | { readonly kind: 'begin'; readonly count: number } | ({ readonly kind: 'go_on' } & Rest)
)

const members = ['filter', 'dry_run', 'count', 'next']
const pattern = /^b2-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-(.+)$/

/** The keyed digest of a text, by the key of the store: any instance makes the same. */
type HashText = (text: string) => TokenHash

// No token has a space (RFC 6750 §2.1), so that the digest of none is a seal.
const sealOf = (hash: HashText, change: BulkChange, filter: ClientFilter, { count, after, until }: Rest): TokenHash =>
  hash(
    `rest of a bulk ${JSON.stringify([change, filterNames.map((name) => filter[name] ?? null), count, after, until])}`,
  )

/** `next` of an answer, which counts for this change, filter and confirmed number alone. */
export const restText =
  (hash: HashText, change: BulkChange) =>
  (filter: ClientFilter, rest: Rest): string => {
    const { count, after, until } = rest
    const seal = sealOf(hash, change, filter, rest)
    return `b2-${[count, after, until].map((each) => each.toString(36)).join('-')}-${seal}`
  }

const restOf = (hash: HashText, change: BulkChange, filter: ClientFilter, text: string): Rest | undefined => {
  const [, confirmed = '', from = '', to = '', seal = ''] = pattern.exec(text) ?? []
  const rest = { count: parseInt(confirmed, 36), after: parseInt(from, 36), until: parseInt(to, 36) }
  if (!Object.values(rest).every(Number.isSafeInteger)) return undefined
  // The digests of both are compared, so that the time says nothing of the seal.
  return hash(`presented ${seal}`) === hash(`presented ${sealOf(hash, change, filter, rest)}`) ? rest : undefined
}

// The members of a filter are texts, as in a query; numbers and true and false stand for their texts.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const parametersOf = (filter: object): Parameters =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [textOf(value) ?? '']]))

const readFilter = (filter: unknown): E.Either<InvalidRequest, ClientFilter> => {
  if (!isPlainObject(filter) || Object.keys(filter).length === 0)
    return E.left(invalidRequest(`filter must be an object with at least one of ${filterNames.join(', ')}`))
  const parameters = parametersOf(filter)
  const unknown = unknownParameter(parameters, filterNames)
  return unknown === undefined ? decodeFilter(parameters) : E.left(unknown)
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const oneOfThree = invalidRequest(
  'The body must have, beside filter, one of: dry_run true; count, the number of clients that dry_run answered; next of the answer before',
)

const otherNext = invalidRequest(
  'next must be that of the answer before, sent to the same path with the same filter: begin anew with dry_run',
)

/** Total for any body. */
export const readBulkRequest =
  (hash: HashText, change: BulkChange) =>
  (body: unknown): E.Either<InvalidRequest, BulkRequest> => {
    if (!isPlainObject(body) || Object.keys(body).some((name) => !members.includes(name)))
      return E.left(invalidRequest(`The body must be an object with members among ${members.join(', ')}`))
    const filter = readFilter(ownMember(body, 'filter'))
    if (E.isLeft(filter)) return filter
    const dryRun = ownMember(body, 'dry_run')
    const count = ownMember(body, 'count')
    const next = ownMember(body, 'next')
    if ([dryRun, count, next].filter((each) => each !== undefined).length !== 1) return E.left(oneOfThree)
    if (dryRun === true) return E.right({ kind: 'count', filter: filter.right })
    if (isCount(count)) return E.right({ kind: 'begin', count, filter: filter.right })
    if (typeof next !== 'string') return E.left(oneOfThree)
    const rest = restOf(hash, change, filter.right, next)
    return rest === undefined ? E.left(otherNext) : E.right({ kind: 'go_on', ...rest, filter: filter.right })
  }
