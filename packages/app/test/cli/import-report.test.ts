import * as TE from 'fp-ts/lib/TaskEither.js'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importReportAsJson } from '../../src/cli/import-report.js'
import { runImport } from '../../src/cli/run-import.js'

const reports = suite('the report of an import in JSON')

const count = 1_000

reports('it has one record under way at most, so that a slow reader does not fill the memory', async () => {
  const seen = { pending: 0, most: 0 }
  const texts: Array<string> = []
  const write = (text: string, done?: () => void): void => {
    texts.push(text)
    seen.pending += 1
    seen.most = Math.max(seen.most, seen.pending)
    setImmediate(() => {
      seen.pending -= 1
      done?.()
    })
  }
  const report = importReportAsJson({ write, writableLength: 0 }, true, undefined)
  const source = {
    chunks: () => Readable.from(Array.from({ length: count }, () => '{"no": "client"}\n')),
    isUnchanged: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  }
  const options = {
    from: 'clientele',
    dryRun: true,
    onlyValid: false,
    replace: false,
    asOperator: false,
    usedSince: undefined,
  } as const
  const result = await runImport({
    source,
    ask: () => TE.left('no client is sent'),
    place: 'store',
    options,
    onRecord: report.record,
  })()
  assert.equal(result, { _tag: 'Right', right: { pass: 'judged', broken: count } })
  report.end({ pass: 'judged', broken: count })
  assert.is(seen.most, 1)
  assert.is(JSON.parse(texts.join('')).records.length, count)
})

reports.run()
