// A law of the authorization rules, put to the test in isolation: more scope never permits less.
import { parseRegistrationScope, permits, registrationScopeValues } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'

const scope = fc.subarray([...registrationScopeValues, 'client-reg:scope:openid'], { minLength: 1 })
const privilegesOf = (values) =>
  pipe(
    parseRegistrationScope(values.join(' ')),
    E.getOrElseW(() => {
      throw new Error('not a scope')
    }),
  ).privileges

fc.assert(
  fc.property(scope, scope, scope, (held, more, asked) => {
    const permitted = permits(privilegesOf(held))(privilegesOf(asked))
    return !permitted || permits(privilegesOf([...held, ...more]))(privilegesOf(asked))
  }),
  { numRuns: 1000 },
)
console.log('more scope never permits less: 1000 cases')
