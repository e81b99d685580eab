import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonArrayElements } from '../../src/importing/read-records.js'

const elements = suite('jsonArrayElements')

async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length)
}

const read = async (text: string, length: number): Promise<ReadonlyArray<unknown>> => {
  const all: Array<unknown> = []
  for await (const element of jsonArrayElements(inChunks(text, length))) all.push(element)
  return all
}

const tricky = fc.oneof(
  fc.jsonValue(),
  fc.array(fc.constantFrom('\\', '"', '[', '{', '}', ']', ',', ' ')).map((made) => made.join('')),
)
const arrays = fc.array(tricky)
const lengths = fc.integer({ min: 1, max: 40 })
const indents = fc.constantFrom(0, 2)

elements('however it is cut into chunks, the elements are those of the array', () =>
  fc.assert(
    fc.asyncProperty(arrays, lengths, indents, async (array, length, indent) => {
      assert.equal(await read(JSON.stringify(array, null, indent), length), JSON.parse(JSON.stringify(array)))
    }),
  ),
)

elements('an array that is cut off is never taken for a whole one', () =>
  fc.assert(
    fc.asyncProperty(arrays, lengths, fc.nat(), async (array, length, cut) => {
      const text = JSON.stringify(array)
      const outcome = await read(text.slice(0, cut % text.length), length).then(
        () => 'whole',
        () => 'cut off',
      )
      assert.is(outcome, 'cut off')
    }),
  ),
)

elements.run()
