import { checkClientMetadata } from '../../src/plain/index.js'

/** What the service adds to client metadata, and leaves out, or the rules that refuse them. */
export const outcomeOf = (body: unknown) => {
  const checked = checkClientMetadata(body, { outboundFetches: true })
  if (!checked.ok) return { refusedBy: checked.faults.map(({ rule, code }) => rule ?? code) }
  const { added, dropped } = checked
  return { added, dropped }
}
