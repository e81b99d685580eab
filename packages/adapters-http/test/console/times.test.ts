// Times in the console: a page is shown whatever number a row has.
import { epochSecond, law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createConsoleRenderer } from '../../src/console/console-renderer.js'

const times = suite('times in the console')
const it = law(times)

const render = createConsoleRenderer()
const shown = (at: number): string =>
  ['operators', 'keys']
    .map((page) => render(page, { tokens: [{ id: 'a', issued_at: at }], calendar: { marks: [{ at }], rows: [] } }).html)
    .join('')

it('any number is shown', [fc.oneof(fc.maxSafeInteger(), epochSecond())], (at) => assert.type(shown(at), 'string'))

times('a time that no date has is shown as the number', () => {
  assert.match(shown(1_767_225_600), '<time datetime="2026-01-01 00:00 UTC">')
  assert.match(shown(1_767_225_600), '>2026-01-01</text>')
  assert.match(shown(1_767_225_600_000_000), '<time datetime="1767225600000000">')
  assert.match(shown(1_767_225_600_000_000), '>1767225600000000</text>')
})

times.run()
