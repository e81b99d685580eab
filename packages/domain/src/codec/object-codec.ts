import { isPlainObject, ownMember } from './json-object.js'
import { type Judging, type RuleCodec, broken, ruleCodec, nested } from './rule-codec.js'
import { reportedName } from './reported-name.js'

type ObjectRules<Rule> = {
  /** The rule that a value violates which is not an object. */
  readonly object: Rule
  /** The rule that an unknown name violates; where it is left out, unknown names are dropped. */
  readonly unknown?: Rule
}

/** An object with these fields: the faults of each field in their order, then the unknown names. */
export const objectOf =
  <Rule extends string>({ object, unknown }: ObjectRules<Rule>) =>
  <Fields extends Readonly<Record<string, Judging<Rule>>>>(
    fields: Fields,
  ): RuleCodec<{ readonly [Name in keyof Fields]: Fields[Name]['_A'] }, Rule> =>
    ruleCodec(object, (value) => {
      if (!isPlainObject(value)) return [broken(object)]
      const known = Object.entries(fields).flatMap(([name, field]) =>
        field.brokenRules(ownMember(value, name)).map(nested(name)),
      )
      if (unknown === undefined) return known
      const names = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
      return [...known, ...names.map((name) => broken(unknown, reportedName(name)))]
    })
