// Checks the rules of authorization: by one law of the kit, by a law of your own, and by all laws.
import { parseRegistrationScope, permits } from '@clientele/domain'
import { authorizationLaws, checkLaw, registrationScope } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'

const law = authorizationLaws.find(({ id }) => id === 'scope-values-add-up')
if (law === undefined) throw new Error('there is no such law')
checkLaw(law, undefined, { numRuns: 1000 })
console.log(`${law.statement}: 1000 cases`)

// A law is one property; the kit does not have this one.
const privilegesOf = (scope) =>
  pipe(
    parseRegistrationScope(scope),
    E.getOrElseW(() => {
      throw new Error('not a scope')
    }),
  ).privileges

fc.assert(
  fc.property(registrationScope(), registrationScope(), (granted, requested) => {
    const both = permits(privilegesOf(granted))(privilegesOf(requested))
    return !granted.split(' ').includes('client-reg') || both
  }),
  { numRuns: 1000 },
)
console.log('client-reg permits what any scope asks for: 1000 cases')

for (const each of authorizationLaws) checkLaw(each, undefined, { numRuns: 20 })
console.log(`all ${authorizationLaws.length} laws hold`)
