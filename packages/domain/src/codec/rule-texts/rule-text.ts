/**
 * A rule for input: its text, which ends with the remedy and never contains a value, and the section that imposes it.
 */
export type RuleText = { readonly text: string; readonly reference: string }

/** The text is ASCII and follows the name of the member that violates the rule. */
export const rule = (text: string, reference: string): RuleText => ({ text, reference })

export const registration = 'OpenID Registration §2'
export const ownBound = 'a bound of this service'
