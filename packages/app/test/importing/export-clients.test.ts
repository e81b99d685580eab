import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeExport } from '../../src/importing/export-clients.js'

const exports = suite('an export to a stream')

const count = 1_000

/** Clients of a kilobyte each. */
const clients = async function* () {
  for (let place = 0; place < count; place += 1) yield { client_id: `c${place}`, metadata: 'm'.repeat(1_000) }
}

exports('it has one text under way at most, so that a slow reader does not fill the memory', async () => {
  const seen = { pending: 0, most: 0, lines: 0 }
  const write = (text: string, done?: () => void): void => {
    seen.pending += 1
    seen.most = Math.max(seen.most, seen.pending)
    setTimeout(() => {
      seen.pending -= 1
      seen.lines += text.split('\n').length - 1
      done?.()
    }, 1)
  }
  const exported = await writeExport(clients(), { write, writableLength: 0 }, () => undefined)()
  assert.equal(exported, E.right({ clients: count, unreadable: [] }))
  assert.equal(seen, { pending: 0, most: 1, lines: count })
})

exports('a text that cannot be written ends it', async () => {
  const write = (_: string, done?: (error: Error) => void): void =>
    done?.(Object.assign(new Error(), { code: 'EPIPE' }))
  const exported = await writeExport(clients(), { write, writableLength: 0 }, () => undefined)()
  assert.equal(exported, E.left('the export is not complete (EPIPE): correct this, and run it again'))
})

exports.run()
