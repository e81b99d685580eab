import * as fc from 'fast-check'

/** One value, for a test that holds for all values but needs one run only. */
export const oneSample = <Value>(values: fc.Arbitrary<Value>): Value => {
  const [sample] = fc.sample(values, 1)
  if (sample === undefined) throw new Error('no value was made')
  return sample
}
