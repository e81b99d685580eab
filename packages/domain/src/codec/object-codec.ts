import { isPlainObject, ownMember } from './json-object.js'
import { type Judging, type RuleCodec, broken, ruleCodec, within } from './rule-codec.js'
import { toldName } from './told-name.js'

type ObjectRules<Rule> = {
  /** What a value breaks that is no object. */
  readonly object: Rule
  /** What a name breaks that is no field; where this is left out, such names are dropped. */
  readonly unknown?: Rule
}

/** An object with these fields: what each of them breaks, in their order, then the names that are unknown. */
export const objectOf =
  <Rule extends string>({ object, unknown }: ObjectRules<Rule>) =>
  <Fields extends Readonly<Record<string, Judging<Rule>>>>(
    fields: Fields,
  ): RuleCodec<{ readonly [Name in keyof Fields]: Fields[Name]['_A'] }, Rule> =>
    ruleCodec(object, (value) => {
      if (!isPlainObject(value)) return [broken(object)]
      const known = Object.entries(fields).flatMap(([name, field]) =>
        field.brokenRules(ownMember(value, name)).map(within(name)),
      )
      if (unknown === undefined) return known
      const names = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
      return [...known, ...names.map((name) => broken(unknown, toldName(name)))]
    })
