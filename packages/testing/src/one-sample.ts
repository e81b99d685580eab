import * as fc from 'fast-check'

/** Some value, for a test that holds of each but is worth one run. */
export const oneSample = <Value>(values: fc.Arbitrary<Value>): Value => {
  const [sample] = fc.sample(values, 1)
  if (sample === undefined) throw new Error('no value was made')
  return sample
}
