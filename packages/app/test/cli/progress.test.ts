import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgress } from '../../src/progress.js'

const progress = suite('the progress of a command')

const on = (isTTY: boolean) => {
  const texts: Array<string> = []
  return { texts, ...createProgress({ write: (text) => texts.push(text), writableLength: 0, isTTY }) }
}

progress('a terminal has a bar, or the count where the end is not known, and nothing of it in the end', async () => {
  const { texts, show, end } = on(true)
  show('Sealing', 1, 2)
  assert.is(texts.join(''), '\rSealing [###############...............] 1 of 2 (50 %)')
  show('Judging', 1)
  await setTimeout(600)
  show('Judging', 600)
  assert.match(texts.at(-1) ?? '', /^\rJudging: 600 records, [\d,]+ a second *$/)
  end()
  assert.match(texts.at(-1) ?? '', /^\r +\r$/)
})

progress('elsewhere there is a line for each tenth, and none where the end is not known', async () => {
  const { texts, show, end } = on(false)
  for (let done = 0; done <= 100; done += 1) show('Sealing', done, 100)
  show('Judging', 1)
  await setTimeout(600)
  show('Judging', 2)
  end()
  assert.is(texts.length, 11)
  assert.is(texts.at(-1), 'Sealing: 100 of 100 (100 %)\n')
})

progress.run()
