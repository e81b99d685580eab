import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keptByText } from '../src/kept-by-text.js'

const kept = suite('what follows from a text is kept')

/** The function, with the texts that it was asked for. */
const counting = () => {
  const asked: Array<string> = []
  const read = keptByText((text) => {
    asked.push(text)
    return { told: text }
  })
  return { asked, read }
}

kept('a text that comes again is not read again, and tells the same', () => {
  const { asked, read } = counting()
  assert.is(read('one'), read('one'))
  assert.equal(read('two'), { told: 'two' })
  assert.equal(read('one'), { told: 'one' })
  assert.equal(asked, ['one', 'two'])
})

kept('what follows may be nothing, and is kept all the same', () => {
  let times = 0
  const read = keptByText(() => void (times += 1))
  assert.is(read('one'), undefined)
  assert.is(read('one'), undefined)
  assert.is(times, 1)
})

kept('a thousand texts are kept at most, and no long ones', () => {
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

kept.run()
