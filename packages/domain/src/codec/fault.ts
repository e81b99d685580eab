import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type RuleId, ruleTexts } from './rule-texts.js'

/** One thing that is wrong with a body: where (RFC 6901), which rule, and a text that never carries the value. */
export type Fault = {
  readonly pointer: string
  readonly rule: RuleId
  readonly description: string
}

export type Step = string | number

/** A rule that a value breaks, and the path from the value to the place. */
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

/** What the value of a member breaks. */
export const faultsAt = (member: string, rules: ReadonlyArray<BrokenRule<RuleId>>): ReadonlyArray<Fault> =>
  // Nearly every value breaks none.
  rules.length === 0 ? [] : rules.map(({ rule, path }) => fault(rule)(member, ...path))

/** The name in the body, with its language tag if it has one. */
export const nameOfFault = (found: Fault): string =>
  (found.pointer.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~')

export const memberOfFault = (found: Fault): string => baseMember(found.pointer.split('/')[1])

// So that a small body never makes a large answer.
export const maxTold = 50

/** The faults as they are told: the first of them, when there are many. */
export const toldFaults = (faults: ReadonlyNonEmptyArray<Fault>): ReadonlyNonEmptyArray<Fault> =>
  faults.length > maxTold ? [faults[0], ...faults.slice(1, maxTold - 1), fault('more-faults')()] : faults
