import { type RuleCodec, broken, ruleCodec, valueThat } from '../codec/rule-codec.js'
import { flag, object, visibleTexts } from './policy-codecs.js'
import { type SignedBodiesPolicy, signedFormats } from './signed-bodies-policy.js'

type Format = SignedBodiesPolicy['format']

// The directory gives each service its identifier, so that there is no default.
const audience: RuleCodec<ReadonlyArray<string>, string> = ruleCodec('audience', (value) =>
  Array.isArray(value) && value.length === 0
    ? [broken('must have an entry: write the identifier that the directory gave to this service')]
    : visibleTexts.brokenRules(value),
)

/** The part signed_bodies of a policy file. */
export const signedBodiesPart = object({
  format: valueThat(`must be one of ${signedFormats.join(', ')}`, (value): value is Format =>
    signedFormats.some((each) => each === value),
  ),
  audience,
  required: flag,
})
