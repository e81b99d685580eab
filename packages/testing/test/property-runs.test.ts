import { env } from 'node:process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationLaws, authorizationRules, checkLaw } from '../src/index.js'
import { propertyRuns, propertySeed, runParameters } from '../src/property-runs.js'

const runs = suite('how often properties are tried')

const withEnvironment = (name: string, value: string, run: () => void): void => {
  const before = env[name]
  env[name] = value
  try {
    run()
  } finally {
    if (before === undefined) Reflect.deleteProperty(env, name)
    else env[name] = before
  }
}

runs('as often as is said, from the seed that is said; what is empty is not set', () => {
  withEnvironment('PROPERTY_RUNS', '7', () => assert.is(propertyRuns(), 7))
  withEnvironment('PROPERTY_SEED', '-3', () => assert.is(runParameters().seed, -3))
  withEnvironment('PROPERTY_RUNS', '', () => assert.is(propertyRuns(), 200))
  withEnvironment('PROPERTY_SEED', '', () => assert.not.ok('seed' in runParameters()))
})

const wrong = { ...authorizationRules, permits: () => () => true }

runs('what is no number of cases is told, because a law that is tried on none would hold', () => {
  const law = authorizationLaws.find(({ id }) => id === 'order-is-adding-nothing')
  assert.ok(law !== undefined)
  for (const value of ['0', '-5', 'abc', '10x', '2.5', 'Infinity', ' '])
    withEnvironment('PROPERTY_RUNS', value, () =>
      assert.throws(() => checkLaw(law, wrong), /^PROPERTY_RUNS must be a whole number, 1 or more: /, value),
    )
  withEnvironment('PROPERTY_RUNS', '5', () => assert.throws(() => checkLaw(law, wrong), /order-is-adding-nothing/))
})

runs('what is no seed is told', () => {
  for (const value of ['abc', '1.5', 'NaN'])
    withEnvironment('PROPERTY_SEED', value, () =>
      assert.throws(propertySeed, /^PROPERTY_SEED must be a whole number: /, value),
    )
})

runs.run()
