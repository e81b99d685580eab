import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { missingValues, onlyValues, unionOfValues } from '../../src/authorization/registrant.js'
import { law } from '@clientele/testing'

const ValueSet = suite('ValueSet')
const it = law(ValueSet)
const values = fc.array(fc.constantFrom('any', 'a', 'b', 'c'))

it('a set has each value once, and no order', [values], (list) => {
  assert.equal(onlyValues([...list, ...list].reverse()), onlyValues(list))
  assert.is(onlyValues(list).length, new Set(list).size)
})

it('the union of sets is the set of the values of both', [values, values], (one, other) =>
  assert.equal(unionOfValues(onlyValues(one), onlyValues(other)), onlyValues([...one, ...other])),
)

it('all values are missing wherever not all are held', [values], (list) => {
  assert.is(missingValues(onlyValues(list), 'any'), 'any')
  assert.equal(missingValues('any', 'any'), [])
})

it('what is missing is asked and not held', [values, values], (granted, requested) =>
  assert.equal(
    missingValues(onlyValues(granted), onlyValues(requested)),
    onlyValues(requested.filter((value) => !granted.includes(value))),
  ),
)

ValueSet.run()
