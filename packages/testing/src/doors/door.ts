// A door: a way by which client metadata enters a service.
import type { SentMetadata } from '../arbitraries/json-values.js'
import type { RefusedBody, ReportedFault } from '../laws/metadata-rules.js'

/** What a door answers: the faults of the body, or none where it lets the body in. */
export type Verdict = ReadonlyArray<ReportedFault>

/** A door of any service: its name, and its verdict on a body. One over HTTP returns a promise. */
export type Door = {
  readonly name: string
  readonly judge: (body: SentMetadata) => Verdict | Promise<Verdict>
}

/**
 * The verdict of a refusal: its faults; where it reports none, one fault without a place, whose rule is its code.
 *
 * @example
 * const post = async (body) => {
 *   const answer = await fetch('https://op.example/clients', { method: 'POST', body: JSON.stringify(body), headers })
 *   return answer.ok ? [] : verdictOf(await answer.json())
 * }
 */
export const verdictOf = ({ error, error_description = '', errors = [] }: RefusedBody): Verdict =>
  errors.length > 0 ? errors : [{ pointer: '', rule: error, description: error_description }]

const refused: Verdict = [{ pointer: '', rule: 'refused', description: '' }]

/** The door of which only the verdict counts, for a service that reports its faults otherwise. */
export const verdictAlone = ({ name, judge }: Door): Door => ({
  name,
  judge: async (body) => ((await judge(body)).length === 0 ? [] : refused),
})
