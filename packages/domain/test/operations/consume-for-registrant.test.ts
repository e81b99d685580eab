import { law, presentedCredential, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOperators } from '../../src/authorization/credential.js'
import type { BudgetConsumption } from '../../src/ports/outside.js'
import { consumeForRegistrant, spentOnce } from '../../src/operations/read-body.js'

const Consume = suite('consumeForRegistrant')
const it = law(Consume)

const exhausted = { error: 'exhausted', scope: 'source', retryAfter: 7 } as const

it(
  'what nobody but the registrant of an open registration wants costs a unit, and all else none',
  [presentedCredential(), registeredClient(), fc.oneof(fc.ipV4(), fc.constant(undefined)), fc.boolean()],
  async (credential, client, address, isExhausted) => {
    const consumed: Array<string> = []
    const consumeBudget: BudgetConsumption['consumeBudget'] = (kind, source) => () => {
      consumed.push(`${kind} ${source.name}`)
      return Promise.resolve(isExhausted ? E.left(exhausted) : E.right(undefined))
    }
    const outcome = await consumeForRegistrant({ consumeBudget })(credential, client, address)()
    const costs = client.registered_by === 'nobody' && !isOperators(credential)
    assert.equal(consumed, costs ? [`registrations ${address ?? 'unknown'}`] : [])
    const refusal = { error: 'too_many_requests', kind: 'registrations', scope: 'source', retryAfter: 7 } as const
    assert.equal(outcome, costs && isExhausted ? E.left(refusal) : E.right(undefined))
  },
)

Consume('a request spends one unit, however often its decision is repeated', async () => {
  const answers = [E.left(exhausted), E.right(undefined)]
  const asked: Array<string> = []
  const consumeBudget: BudgetConsumption['consumeBudget'] = (kind) => async () => {
    asked.push(kind)
    return answers[asked.length - 1] ?? E.left(exhausted)
  }
  const client = { registered_by: 'nobody' as const }
  const once = spentOnce({ consumeBudget })
  const consume = () => consumeForRegistrant(once)({ kind: 'none' }, client, undefined)()
  const outcomes = [await consume(), await consume(), await consume()]
  assert.equal(outcomes.map(E.isRight), [false, true, true])
  assert.equal(asked, ['registrations', 'registrations'])
})

Consume.run()
