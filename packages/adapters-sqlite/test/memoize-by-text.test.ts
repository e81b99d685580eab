import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoizeByText } from '../src/memoize-by-text.js'

const memoize = suite('memoizeByText')

/** The function, with the texts that it was asked for. */
const counting = () => {
  const asked: Array<string> = []
  const read = memoizeByText((text) => {
    asked.push(text)
    return { told: text }
  })
  return { asked, read }
}

memoize('the value of a text that comes again is not computed again', () => {
  const { asked, read } = counting()
  assert.is(read('one'), read('one'))
  assert.equal(read('two'), { told: 'two' })
  assert.equal(read('one'), { told: 'one' })
  assert.equal(asked, ['one', 'two'])
})

memoize('a value that is undefined is computed once as well', () => {
  let times = 0
  const read = memoizeByText(() => void (times += 1))
  assert.is(read('one'), undefined)
  assert.is(read('one'), undefined)
  assert.is(times, 1)
})

memoize('no more than a thousand texts are memoized, and no long ones', () => {
  const { asked, read } = counting()
  const long = 'a'.repeat(4_097)
  for (const text of [long, long]) read(text)
  assert.is(asked.length, 2)
  for (let number = 0; number < 1_000; number += 1) read(`text ${number}`)
  read('text 0')
  assert.is(asked.length, 1_002)
  read('one more')
  read('text 0')
  assert.equal(asked.slice(-2), ['one more', 'text 0'])
})

memoize.run()
