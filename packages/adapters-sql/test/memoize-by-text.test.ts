import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoizeByText } from '../src/table.js'

const memoize = suite('memoizeByText')

/** The function, with the texts of its calls. */
const counting = () => {
  const requested: Array<string> = []
  const read = memoizeByText((text) => {
    requested.push(text)
    return { reported: text }
  })
  return { requested, read }
}

memoize('the value of a text that comes again is not computed again', () => {
  const { requested, read } = counting()
  assert.is(read('one'), read('one'))
  assert.equal(read('two'), { reported: 'two' })
  assert.equal(read('one'), { reported: 'one' })
  assert.equal(requested, ['one', 'two'])
})

memoize('a value that is undefined is computed once as well', () => {
  let times = 0
  const read = memoizeByText(() => void (times += 1))
  assert.is(read('one'), undefined)
  assert.is(read('one'), undefined)
  assert.is(times, 1)
})

memoize('no more than a thousand texts are memoized, and no long ones', () => {
  const { requested, read } = counting()
  const long = 'a'.repeat(4_097)
  for (const text of [long, long]) read(text)
  assert.is(requested.length, 2)
  for (let number = 0; number < 1_000; number += 1) read(`text ${number}`)
  read('text 0')
  assert.is(requested.length, 1_002)
  read('one more')
  read('text 0')
  assert.equal(requested.slice(-2), ['one more', 'text 0'])
})

memoize.run()
