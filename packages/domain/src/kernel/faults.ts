// Faults of what was sent: the member, the rule and the remedy.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { RuleId } from './all-rules.js'
import { type MetadataRuleId, type RuleText, metadataRules } from './rule-texts.js'

/** One fault of a body: its place (RFC 6901), its rule, and a text that never contains the value. */
export type Fault = {
  readonly pointer: string
  readonly rule: RuleId
  readonly description: string
}

export type Step = string | number

/** A rule that a value violates, and the path from the value to the place. */
export type BrokenRule<Rule> = { readonly rule: Rule; readonly path: ReadonlyArray<Step> }

// RFC 6901 §3: ~ and / are escaped within a reference token
export const escapeStep = (step: Step): string => String(step).replace(/~/g, '~0').replace(/\//g, '~1')

export const pointerOf = (path: ReadonlyArray<Step>): string => path.map((step) => `/${escapeStep(step)}`).join('')

/** RFC 6901 §4: the steps of a pointer; ~1 first, so that ~01 becomes ~1. */
export const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The name without a language tag: RFC 7591 §2.2. */
export const withoutTag = (name: string): string => name.replace(/#.*$/s, '')

const baseMember = (step: Step | undefined): string => withoutTag(String(step ?? ''))

const subject = (path: ReadonlyArray<Step>): string =>
  path.length > 1 ? `an entry of ${baseMember(path[0])}` : baseMember(path[0])

/** Makes the faults of rules with these texts. */
export const faultBy =
  <Rule extends RuleId>(texts: Readonly<Record<Rule, RuleText>>) =>
  (rule: Rule) =>
  (...path: ReadonlyArray<Step>): Fault => ({
    pointer: pointerOf(path),
    rule,
    description: path.length === 0 ? texts[rule].text : `${subject(path)} ${texts[rule].text}`,
  })

/** A fault of client metadata. */
export const fault = faultBy(metadataRules)

/** The faults of the value of a member. */
export const faultsAt = (member: string, rules: ReadonlyArray<BrokenRule<MetadataRuleId>>): ReadonlyArray<Fault> =>
  // Most values have none.
  rules.length === 0 ? [] : rules.map(({ rule, path }) => fault(rule)(member, ...path))

/** The member of the body, with its language tag if it has one. */
export const nameOfFault = ({ pointer }: Fault): string => stepsOf(pointer)[0] ?? ''

export const memberOfFault = (found: Pick<Fault, 'pointer'>): string => baseMember(found.pointer.split('/')[1])

// Limits the size of an answer to a small body.
export const maxReported = 50

/** The reported faults: the first of them. */
export const reportedFaults = (faults: ReadonlyNonEmptyArray<Fault>): ReadonlyNonEmptyArray<Fault> =>
  faults.length > maxReported ? [faults[0], ...faults.slice(1, maxReported - 1), fault('more-faults')()] : faults

type BrokenRules<Rule> = (value: unknown) => ReadonlyArray<BrokenRule<Rule>>

/** An io-ts codec that reports the rules that a value violates; `is` and `validate` follow from that function. */
export type RuleCodec<A, Rule extends string> = t.Type<A, A> & { readonly brokenRules: BrokenRules<Rule> }

/** The part of a codec that judges values. */
export type Judging<Rule> = { readonly _A: unknown; readonly brokenRules: BrokenRules<Rule> }

export const none: ReadonlyArray<never> = []

export const broken = <Rule>(rule: Rule, ...path: ReadonlyArray<Step>): BrokenRule<Rule> => ({ rule, path })

export const nested =
  (step: Step) =>
  <Rule>({ rule, path }: BrokenRule<Rule>): BrokenRule<Rule> => ({ rule, path: [step, ...path] })

/** The value, or all rules that it violates. */
export const decode =
  <A, Rule extends string>({ brokenRules }: RuleCodec<A, Rule>) =>
  (value: unknown): E.Either<ReadonlyNonEmptyArray<BrokenRule<Rule>>, A> => {
    const rules = brokenRules(value)
    return RA.isNonEmpty(rules) ? E.left(rules) : E.right(value as A)
  }

// Errors of io-ts contain the value, which may be a secret, and reporters print it: it is left out.
const errorAt =
  (context: t.Context, type: t.Decoder<unknown, unknown>) =>
  ({ rule, path }: BrokenRule<string>): t.ValidationError => ({
    value: undefined,
    context: [...context, ...path.map((step) => ({ key: String(step), type }))],
    message: rule,
  })

/** The only constructor: a value is an A when it violates no rule. */
export const ruleCodec = <A, Rule extends string>(name: string, brokenRules: BrokenRules<Rule>): RuleCodec<A, Rule> => {
  const type = new t.Type<A, A>(
    name,
    (value): value is A => brokenRules(value).length === 0,
    (value, context) =>
      pipe(
        decode(codec)(value),
        E.mapLeft((rules) => rules.map(errorAt(context, codec))),
      ),
    t.identity,
  )
  const codec: RuleCodec<A, Rule> = Object.assign(type, { brokenRules })
  return codec
}

/** A value of the type, or the one rule that it violates. */
export const valueThat = <A, Rule extends string>(
  rule: Rule,
  is: (value: unknown) => value is A,
): RuleCodec<A, Rule> => {
  const breaks = [broken(rule)]
  return ruleCodec(rule, (value) => (is(value) ? none : breaks))
}

/** A value that may be undefined. */
export const optional = <A, Rule extends string>(codec: RuleCodec<A, Rule>): RuleCodec<A | undefined, Rule> =>
  ruleCodec(codec.name, (value) => (value === undefined ? none : codec.brokenRules(value)))

// Array.from turns holes of an array into undefined.
const withoutHoles = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  list.includes(undefined) ? Array.from(list) : list

const inItems = <Rule>(item: Judging<Rule>, list: ReadonlyArray<unknown>): ReadonlyArray<BrokenRule<Rule>> =>
  withoutHoles(list).reduce<ReadonlyArray<BrokenRule<Rule>>>((found, value, index) => {
    const rules = item.brokenRules(value)
    return rules.length === 0 ? found : [...found, ...rules.map(nested(index))]
  }, none)

type RuleOfWhole<Rule> = readonly [rule: Rule, breaks: (list: ReadonlyArray<unknown>) => boolean]

/** An array: the rules that it violates as a whole, then those of its first items. */
export const listThat = <Item, Rule extends string>(
  rule: Rule,
  item: RuleCodec<Item, Rule>,
  maxJudged = Infinity,
  rulesOfWhole: ReadonlyArray<RuleOfWhole<Rule>> = none,
): RuleCodec<ReadonlyArray<Item>, Rule> =>
  ruleCodec(rule, (value) => {
    if (!Array.isArray(value)) return [broken(rule)]
    const whole = rulesOfWhole.filter(([, breaks]) => breaks(value))
    const items = inItems(item, value.length > maxJudged ? value.slice(0, maxJudged) : value)
    return whole.length === 0 ? items : [...whole.map(([each]) => broken(each)), ...items]
  })
