import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type RuleId, ruleTexts } from './rule-texts.js'

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

const baseMember = (step: Step | undefined): string => String(step ?? '').replace(/#.*$/s, '')

const subject = (path: ReadonlyArray<Step>): string =>
  path.length > 1 ? `an entry of ${baseMember(path[0])}` : baseMember(path[0])

export const fault =
  (rule: RuleId) =>
  (...path: ReadonlyArray<Step>): Fault => ({
    pointer: pointerOf(path),
    rule,
    description: path.length === 0 ? ruleTexts[rule].text : `${subject(path)} ${ruleTexts[rule].text}`,
  })

/** The faults of the value of a member. */
export const faultsAt = (member: string, rules: ReadonlyArray<BrokenRule<RuleId>>): ReadonlyArray<Fault> =>
  // Most values have none.
  rules.length === 0 ? [] : rules.map(({ rule, path }) => fault(rule)(member, ...path))

/** The member of the body, with its language tag if it has one. */
export const nameOfFault = (found: Fault): string =>
  (found.pointer.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~')

export const memberOfFault = (found: Fault): string => baseMember(found.pointer.split('/')[1])

// Limits the size of an answer to a small body.
export const maxReported = 50

/** The reported faults: the first of them. */
export const reportedFaults = (faults: ReadonlyNonEmptyArray<Fault>): ReadonlyNonEmptyArray<Fault> =>
  faults.length > maxReported ? [faults[0], ...faults.slice(1, maxReported - 1), fault('more-faults')()] : faults
