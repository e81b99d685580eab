// What the doors of clients refused lately: how often each rule refused which software, and the last refusals. Of what was sent,
// there is the software_id alone, bounded and without odd characters: docs/operate/observe.md.
import { groupBy } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type HashText, fingerprintOf } from '../authorization/credential.js'
import { ClientId } from '../client/ids.js'
import { members } from '../client/members.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type EpochSeconds, earlier, later, secondsBefore } from '../kernel/time.js'
import { type Door, doors } from '../life-cycle/states.js'
import { type Filters, oneOf, selecting } from './filters.js'

/** Who sent a refused request: the kind of a valid credential; `client` is one that named itself where clients have tokens. */
export const refusalSenders = [
  'anonymous',
  'client',
  'registration_access_token',
  'initial_access_token',
  'operator_token',
  'master',
] as const
export type RefusalSender = (typeof refusalSenders)[number]

/**
 * Refusals with the same door, rule and kind of sender form a group. When space is short, each group keeps its newest ones: a
 * flood in one group never removes the newest ones of another.
 */
export type RefusalGroup = { readonly door: Door; readonly rule: string; readonly sender: RefusalSender }

/** How often one software was refused in a group. */
export type CountedRefusals = RefusalGroup & {
  /** Empty where nothing is known of it. */
  readonly software: string
  readonly times: number
  readonly first_at: EpochSeconds
  readonly last_at: EpochSeconds
}

/** One refusal; `rule` is the first of the violated rules, or the error code where there is none. */
export type Refused = RefusalGroup & {
  readonly at: EpochSeconds
  readonly software: string
  readonly rules: ReadonlyArray<string>
  /** The registered client that the request was about. */
  readonly client_id?: ClientId
}

/** What an instance has observed since it last wrote. */
export type ObservedRefusals = {
  readonly counts: ReadonlyArray<CountedRefusals>
  /** In their order. */
  readonly refusals: ReadonlyArray<Refused>
}

// The mark of a software.

const maxSoftware = 64
// Characters of names, of URNs and of URLs without a query.
const oddCharacters = /[^A-Za-z0-9._~:/@+-]/g

/**
 * RFC 7591 §2: the software_id of a body; else a mark of the members that the body has, which the same software sends again.
 * Empty where it has neither. Total for any body.
 */
export const softwareOf =
  (hash: HashText) =>
  (body: unknown): string => {
    if (!isPlainObject(body)) return ''
    const id = ownMember(body, 'software_id')
    if (typeof id === 'string' && id !== '') return id.slice(0, maxSoftware).replace(oddCharacters, '?')
    const names = Object.keys(body).filter((name) => Object.hasOwn(members, name))
    return names.length === 0 ? '' : `members-${fingerprintOf(hash(`software ${names.sort().join(' ')}`))}`
  }

// What is kept: so much that no sender fills a disk, and the newest ones of every group.

/** Of all groups together. */
export const maxRefusals = 1_000
/** The software of a group that is counted by its name. */
export const maxSoftwares = 10
/** All other software of a group. */
export const otherSoftware = '(others)'
/** In seconds, after the last refusal that is counted. */
const keptFor = 30 * 86_400

/** What was refused before that time is forgotten. */
export const refusalsSince = (now: EpochSeconds): EpochSeconds => secondsBefore(now, keptFor)

/** One text for each group. */
export const groupOf = ({ door, rule, sender }: RefusalGroup): string => `${door} ${rule} ${sender}`

const added = (one: CountedRefusals, other: CountedRefusals): CountedRefusals => ({
  ...one,
  times: one.times + other.times,
  first_at: earlier(one.first_at, other.first_at),
  last_at: later(one.last_at, other.last_at),
})

const mostFirst = (one: CountedRefusals, other: CountedRefusals): number =>
  other.times - one.times || other.last_at - one.last_at || (one.software < other.software ? -1 : 1)

const addInGroup = (counts: ReadonlyArray<CountedRefusals>): ReadonlyArray<CountedRefusals> => {
  // No name that an object has by itself.
  const bySoftware = groupBy<CountedRefusals>(({ software }) => `of ${software}`)(counts)
  const sums = Object.values(bySoftware).map(([first, ...more]) => more.reduce(added, first))
  const named = sums.filter(({ software }) => software !== otherSoftware).sort(mostFirst)
  const others = [...sums.filter(({ software }) => software === otherSoftware), ...named.slice(maxSoftwares)]
  const [first, ...more] = others.map((each) => ({ ...each, software: otherSoftware }))
  return [...named.slice(0, maxSoftwares), ...(first === undefined ? [] : [more.reduce(added, first)])]
}

/**
 * The counts as they are stored: by group, of each software that was refused most often, and of all others together. A sender
 * that names another software each time stays among the others, unless it sends more than real ones do.
 */
export const addCounts = (counts: ReadonlyArray<CountedRefusals>): ReadonlyArray<CountedRefusals> =>
  Object.values(groupBy<CountedRefusals>(groupOf)(counts)).flatMap(addInGroup)

/** Of refusals in their order, those that are kept: the newest of each group before the second newest of any. */
export const latestRefusals = <Each extends RefusalGroup>(
  refusals: ReadonlyArray<Each>,
  max = maxRefusals,
): ReadonlyArray<Each> => {
  const places = new Map<string, number>()
  const placed = [...refusals].reverse().map((each, age) => {
    const place = (places.get(groupOf(each)) ?? 0) + 1
    places.set(groupOf(each), place)
    return { each, age, place }
  })
  const kept = placed.sort((one, other) => one.place - other.place || one.age - other.age).slice(0, max)
  return kept.sort((one, other) => other.age - one.age).map(({ each }) => each)
}

// How an operator asks for them.

export type RefusalFilter = {
  readonly door?: Door
  readonly rule?: string
  readonly sender?: RefusalSender
  readonly software?: string
  readonly client_id?: ClientId
}

// Ids of rules, and codes of errors.
const isRule = (text: string): boolean => /^[a-z0-9_-]{1,80}$/.test(text)

/** One refusal, or one software that was refused in a group. */
type Selected = Omit<Refused, 'at' | 'rules'> & Partial<Pick<Refused, 'rules'>>

export const refusalParameters: Filters<RefusalFilter, Selected, unknown> = {
  door: oneOf(doors, (door, each) => each.door === door),
  rule: {
    text: 'the id of a rule, or an error code',
    read: (text) => (isRule(text) ? text : undefined),
    holds: (rule, each) => each.rule === rule || each.rules?.includes(rule) === true,
  },
  sender: oneOf(refusalSenders, (sender, each) => each.sender === sender),
  software: {
    text: `a software_id as a refusal shows it, of at most ${maxSoftware} characters`,
    read: (text) => (text.length <= maxSoftware ? text : undefined),
    holds: (software, each) => each.software === software,
  },
  client_id: {
    text: 'a client_id',
    read: (text) => (ClientId.is(text) ? text : undefined),
    holds: (id, each) => each.client_id === id,
  },
}

const selects = selecting(refusalParameters)

/** What the filter selects: the counts by their numbers, and the refusals from the latest on. A count is of no single client. */
export const selectRefusals = (
  { counts, refusals }: ObservedRefusals,
  filter: RefusalFilter,
  limit: number,
): ObservedRefusals => {
  const isSelected = selects(filter, undefined)
  return {
    counts: counts.filter(isSelected).sort(mostFirst).slice(0, limit),
    refusals: refusals.filter(isSelected).reverse().slice(0, limit),
  }
}
