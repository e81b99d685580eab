import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { BrokenRule, Step } from './fault.js'

type BrokenRules<Rule> = (value: unknown) => ReadonlyArray<BrokenRule<Rule>>

/** A codec of io-ts that tells which rules a value breaks: `is` and `validate` follow from that one function. */
export type RuleCodec<A, Rule extends string> = t.Type<A, A> & { readonly brokenRules: BrokenRules<Rule> }

/** A codec of whatever type, as far as it judges. */
export type Judging<Rule> = { readonly _A: unknown; readonly brokenRules: BrokenRules<Rule> }

export const none: ReadonlyArray<never> = []

export const broken = <Rule>(rule: Rule, ...path: ReadonlyArray<Step>): BrokenRule<Rule> => ({ rule, path })

export const within =
  (step: Step) =>
  <Rule>({ rule, path }: BrokenRule<Rule>): BrokenRule<Rule> => ({ rule, path: [step, ...path] })

/** The value, or every rule that it breaks. */
export const decode =
  <A, Rule extends string>({ brokenRules }: RuleCodec<A, Rule>) =>
  (value: unknown): E.Either<ReadonlyNonEmptyArray<BrokenRule<Rule>>, A> => {
    const rules = brokenRules(value)
    return RA.isNonEmpty(rules) ? E.left(rules) : E.right(value as A)
  }

// Reporters of io-ts print the value of an error, which may be a secret: it is left out.
const errorAt =
  (context: t.Context, type: t.Decoder<unknown, unknown>) =>
  ({ rule, path }: BrokenRule<string>): t.ValidationError => ({
    value: undefined,
    context: [...context, ...path.map((step) => ({ key: String(step), type }))],
    message: rule,
  })

/** The one constructor: a value is an A where it breaks no rule. */
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

/** A value of a kind, or the one rule that it breaks. */
export const valueThat = <A, Rule extends string>(
  rule: Rule,
  is: (value: unknown) => value is A,
): RuleCodec<A, Rule> => {
  const breaks = [broken(rule)]
  return ruleCodec(rule, (value) => (is(value) ? none : breaks))
}

/** A value that may be missing. */
export const optional = <A, Rule extends string>(codec: RuleCodec<A, Rule>): RuleCodec<A | undefined, Rule> =>
  ruleCodec(codec.name, (value) => (value === undefined ? none : codec.brokenRules(value)))

// A hole in an array is no item, but Array.from makes one of it: undefined.
const withoutHoles = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  list.includes(undefined) ? Array.from(list) : list

const inItems = <Rule>(item: Judging<Rule>, list: ReadonlyArray<unknown>): ReadonlyArray<BrokenRule<Rule>> =>
  withoutHoles(list).reduce<ReadonlyArray<BrokenRule<Rule>>>((found, value, index) => {
    const rules = item.brokenRules(value)
    return rules.length === 0 ? found : [...found, ...rules.map(within(index))]
  }, none)

type RuleOfWhole<Rule> = readonly [rule: Rule, breaks: (list: ReadonlyArray<unknown>) => boolean]

/** An array: what it breaks as a whole, and what its items break, of which so many are judged. */
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
