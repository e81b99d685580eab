// Two wrong rules. The laws find the faults of both, with the smallest case of each.
import {
  requestedPrivileges,
  intersection,
  isNothing,
  storedPrivileges,
  missingPrivileges,
  union,
} from '@clientele/domain'
import { authorizationRules, brokenLaws } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'

// A wrong rule: it compares scope values by their prefixes, so that mail grants mail:read.
const covers = (granted, requested) =>
  granted === 'any' || (requested !== 'any' && requested.every((value) => granted.some((one) => value.startsWith(one))))
const permits = (granted) => (requested) =>
  covers(granted.scope, requested.scope) && authorizationRules.permits(granted)({ ...requested, scope: [] })

// A wrong rule: an update may use the privileges of present values, even if it alters the data.
const permitUpdate = (granted, ceiling, current) => (next) => {
  const stored = { ...storedPrivileges(current, next), data: current.data !== undefined }
  const missing = missingPrivileges(intersection(ceiling, union(granted, stored)))(requestedPrivileges(next))
  return isNothing(missing) ? E.right(next) : E.left({ error: 'insufficient_scope' })
}

const mine = { ...authorizationRules, permits, permitUpdate }
const broken = brokenLaws(mine, { seed: 1, numRuns: 50 })
for (const { law, counterexample } of broken) {
  console.log(`broken: ${law.statement} (${law.reference})`)
  for (const value of counterexample) console.log(`  ${JSON.stringify(value)}`)
}
if (broken.length === 0) throw new Error('no law is broken')
