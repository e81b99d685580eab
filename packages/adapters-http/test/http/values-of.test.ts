import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { valuesOf } from '../../src/http/request.js'

const encoded = suite('URL-encoded names and values')

encoded('every value is kept, in its order, whatever the names are', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a', ''))
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' }))), (pairs) => {
      const values = valuesOf(new URLSearchParams(pairs).toString())
      const names = [...new Set(pairs.map(([each]) => each))]
      assert.equal(Object.keys(values).sort(), names.sort())
      for (const each of names)
        assert.equal(
          Object.getOwnPropertyDescriptor(values, each)?.value,
          pairs.flatMap(([other, value]) => (other === each ? [value] : [])),
        )
    }),
  )
})

encoded('a name that is repeated thousands of times costs no more than as many names', () => {
  assert.is(valuesOf('a&'.repeat(30_000))['a']?.length, 30_000)
})

encoded.run()
