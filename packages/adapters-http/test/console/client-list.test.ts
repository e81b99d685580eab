// A change of many clients in the console, where the store fails between two batches: what was done is told, and how to go on.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answered } from '../../src/console/asking.js'
import { clientListPage } from '../../src/console/managing.js'
import { type Fields, isGone } from '../../src/console/page.js'

const list = suite('a change of many clients in the console')

const done = (body: object): Answered => ({ status: 200, body, entityTag: undefined })
const unavailable: Answered = { status: 503, body: undefined, entityTag: undefined }

const fieldsOf = (given: Readonly<Record<string, string>>): Fields => ({
  one: (name) => given[name] ?? '',
  all: (name) => [given[name] ?? ''],
})

const confirmed = async (answers: ReadonlyArray<Answered>) => {
  const left = [...answers]
  const ask = () => Promise.resolve(left.shift() ?? unavailable)
  const fields = fieldsOf({ q: 'casino', change: 'removal', count: '400' })
  const shown = await clientListPage.act?.({ ask, may: () => true, id: '', query: {} }, fields)
  if (shown === undefined || isGone(shown)) throw new Error('there is no page')
  return shown
}

list('after a failure, the page tells what was changed, and goes on with the rest', async () => {
  const { data, status, refusal } = await confirmed([
    done({ changed: 200, unchanged: 3, unreadable: ['lost'], next: 'the-rest' }),
    unavailable,
  ])
  assert.equal(
    [status, data['told'], data['next']],
    [503, { changed: 200, unchanged: 3, unreadable: ['lost'], warned: [] }, 'the-rest'],
  )
  assert.not.match(refusal?.description ?? '', 'nothing was changed')
})

list('where the store fails within a batch, what was changed of it is told, and the rest goes on', async () => {
  const body = { error: 'unavailable', error_description: 'why', changed: 197, failed: 3, next: 'the-batch-again' }
  const { data, status, refusal } = await confirmed([
    done({ changed: 200, unchanged: 1, next: 'the-rest' }),
    { ...unavailable, body },
  ])
  assert.equal([status, refusal?.description, data['next']], [503, 'why', 'the-batch-again'])
  assert.equal(data['told'], { changed: 397, unchanged: 1, unreadable: [], warned: [] })
  const first = await confirmed([{ ...unavailable, body }])
  assert.equal(
    [first.data['told'], first.data['next']],
    [{ changed: 197, unchanged: 0, unreadable: [], warned: [] }, 'the-batch-again'],
  )
})

list('where the first batch fails, they are counted again', async () => {
  const { data, status } = await confirmed([unavailable, done({ count: 390 })])
  assert.equal([status, data['told'], data['count']], [503, undefined, 390])
})

list.run()
