import { type Fault, ruleTexts } from '@clientele/domain/kernel'
import { sentence } from './decision.js'
import { type Place, placeInJson } from './json-place.js'

export type ReportedFault = {
  readonly pointer: string
  readonly rule: string
  readonly problem: string
  /** The remedy; left out where the problem states it. */
  readonly remedy?: string
  readonly reference: string
  /** The place in the text; left out for a missing member. */
  readonly place?: Place
}

export const reportedFault =
  (body: string) =>
  ({ pointer, rule, description }: Fault): ReportedFault => {
    const [problem = '', ...remedy] = sentence(description).split(': ')
    const place = pointer === '' ? undefined : placeInJson(body, pointer)
    return {
      pointer,
      rule,
      problem,
      reference: ruleTexts[rule].reference,
      ...(remedy.length === 0 ? {} : { remedy: remedy.join(': ') }),
      ...(place === undefined ? {} : { place }),
    }
  }
