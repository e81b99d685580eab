// The codecs of the parts of a policy.
import { objectOf } from '../codec/object-codec.js'
import { type Judging, type RuleCodec, listThat, optional, valueThat } from '../codec/rule-codec.js'

// The rules of a policy are texts for the operator.
export const listOf = (rule: string, holds: (entry: string) => boolean): RuleCodec<ReadonlyArray<string>, string> =>
  listThat<string, string>(
    'must be a JSON array',
    valueThat(rule, (entry): entry is string => typeof entry === 'string' && holds(entry)),
  )

export const object = <Fields extends Readonly<Record<string, Judging<string>>>>(
  fields: Fields,
): RuleCodec<{ readonly [Name in keyof Fields]: Fields[Name]['_A'] }, string> =>
  objectOf<string>({
    object: 'must be a JSON object',
    unknown: `is unknown: leave it out, or write one of ${Object.keys(fields).join(', ')}`,
  })(fields)

export const oneOf = <Value extends string>(values: ReadonlyArray<Value>): RuleCodec<Value | undefined, string> =>
  optional(
    valueThat(`must be one of ${values.join(', ')}`, (value): value is Value => values.some((each) => each === value)),
  )

export const count = optional(
  valueThat(
    'must be a whole number, 0 or more',
    (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  ),
)

export const flag = optional(
  valueThat('must be true or false', (value): value is boolean => typeof value === 'boolean'),
)

// The last label of a name is not a number, so that *.0.0.1 does not match addresses
/** A host, or all names below it. */
export const hostName =
  /^(?:\*\.)?(?!.*(?:^|\.)\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

const visible = /^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/

export const visibleTexts = listOf('must be visible ASCII text without quotation mark or backslash', (entry) =>
  visible.test(entry),
)
