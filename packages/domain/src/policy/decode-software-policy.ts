import { text } from '../client/value-types.js'
import { type RuleCodec, broken, listThat, optional, ruleCodec, valueThat } from '../codec/rule-codec.js'
import { listOf, object, oneOf } from './policy-codecs.js'
import { type SoftwarePolicy, admissions, requirements } from './software-policy.js'

// RFC 7591 §2: what a client may send as software_id or software_version
const isText = (value: unknown): value is string => text.codec.is(value)
const versions = optional(listOf('must be a text that software_version may be', isText))

const software = object({
  software_id: valueThat('must be a text that software_id may be', isText),
  // RFC 7519 §4.1.1
  issuers: optional(
    listOf('must be the iss of software statements, in visible ASCII', (entry) => /^[\x21-\x7E]{1,2048}$/.test(entry)),
  ),
  allowed_versions: versions,
  denied_versions: versions,
})

const entries = listThat('must be a JSON array', software)
type Listed = typeof entries._A

// Of two entries for one software, the reader would not know which one counts.
const listedOnce: RuleCodec<Listed, string> = ruleCodec('software', (value) => {
  const rules = entries.brokenRules(value)
  if (rules.length > 0 || !entries.is(value)) return rules
  const ids = value.map(({ software_id }) => software_id)
  const again = [...ids.keys()].filter((index) => ids.indexOf(ids[index] ?? '') < index)
  return again.map((index) => broken('must be listed once: write one entry for it', index, 'software_id'))
})

/** The part software_statements of a policy file. */
export const softwarePart = object({
  required: oneOf<SoftwarePolicy['required']>(requirements),
  accept: oneOf<SoftwarePolicy['accept']>(admissions),
  software: optional(listedOnce),
})
