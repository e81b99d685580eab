import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { clientFormats } from '../../src/importing/formats.js'
import {
  type SplitRecords,
  maxRecord,
  readRecords,
  splitDocument,
  splitLines,
} from '../../src/importing/read-records.js'
import { createSeenIds } from '../../src/cli/run-import.js'

const Split = suite('splitting a file into records')
const it = law(Split)

const cut = (text: string, lengths: ReadonlyArray<number>): ReadonlyArray<string> => {
  const cuts = lengths.reduce<ReadonlyArray<number>>((all, each) => [...all, (all.at(-1) ?? 0) + each], [0])
  return [...cuts.map((from, index) => text.slice(from, cuts[index + 1])), '']
}

const recordsOf = (splitter: SplitRecords, chunks: ReadonlyArray<string>) => [
  ...chunks.flatMap((chunk) => [...splitter.push(chunk)]),
  ...splitter.end(),
]

const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 6 })
const chunking = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
const indent = fc.constantFrom(0, 2)
const parsed = (records: ReturnType<typeof recordsOf>): ReadonlyArray<unknown> =>
  records.map(({ text }) => JSON.parse(text ?? 'null'))
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it('lines are records, however they are cut', [objects, chunking], (values, lengths) => {
  const text = values.map((value) => JSON.stringify(value)).join('\n')
  const records = recordsOf(splitLines(), cut(text, lengths))
  assert.equal(parsed(records), plain(values))
  assert.equal(
    records.map(({ line }) => line),
    values.map((_, index) => index + 1),
  )
})

it(
  'the elements of an array are records, however they are cut',
  [objects, chunking, indent],
  (values, lengths, spaces) =>
    assert.equal(
      parsed(recordsOf(splitDocument('clients'), cut(JSON.stringify(values, null, spaces), lengths))),
      plain(values),
    ),
)

it(
  'the list in a member is the records, and all else is dropped',
  [objects, objects, chunking, indent],
  (values, others, lengths, spaces) => {
    const document = { users: others, nested: { clients: others }, clients: values, after: { x: others } }
    const once = recordsOf(splitDocument('clients'), cut(JSON.stringify(document, null, spaces), lengths))
    assert.equal(parsed(once), plain(values))
    const twice = recordsOf(splitDocument('clients'), cut(JSON.stringify([document, document], null, spaces), lengths))
    assert.equal(parsed(twice), plain([...values, ...values]))
  },
)

it(
  'an object without the list is a record',
  [fc.dictionary(fc.string(), fc.jsonValue()), chunking, indent],
  (value, lengths, spaces) => {
    if ('items' in value) return
    assert.equal(parsed(recordsOf(splitDocument('items'), cut(JSON.stringify(value, null, spaces), lengths))), [
      plain(value),
    ])
  },
)

it(
  'any text is split without an error',
  [
    fc.array(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '\n', ' ', 'a') })),
    fc.boolean(),
  ],
  (chunks, lines) => {
    const records = recordsOf(lines ? splitLines() : splitDocument('a'), chunks)
    assert.ok(records.every(({ line }) => line >= 1))
  },
)

Split('each record has the line on which it begins', () => {
  const text = '\n{\n "clients": [\n\n  {"a": 1},\n  {\n   "b": 2\n  }, 3\n ]\n}\n'
  assert.equal(
    recordsOf(splitDocument('clients'), [text]).map(({ line }) => line),
    [5, 6, 8],
  )
})

Split('a record that is too long is dropped, and the next one is read', () => {
  const long = JSON.stringify({ long: 'x'.repeat(maxRecord) })
  const chunks = (text: string) => text.match(/[^]{1,65536}/g) ?? []
  assert.equal(recordsOf(splitLines(), chunks(`${long}\n{}\n`)), [{ line: 1 }, { line: 2, text: '{}' }])
  assert.equal(recordsOf(splitDocument(undefined), chunks(`[${long},{}]`)), [{ line: 1 }, { line: 1, text: '{}' }])
})

const outcomes = async (text: string, format: keyof typeof clientFormats): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  const chunks = (async function* () {
    for (const each of cut(
      text,
      Array.from({ length: 200 }, () => 7),
    ))
      yield each
  })()
  for await (const { line, read } of readRecords(chunks, clientFormats[format]))
    all.push(`${line} ${read.kind} ${read.kind === 'broken' ? read.faults.map(({ rule }) => rule).join() : ''}`.trim())
  return all
}

Split('a broken line spoils no other line, and a file that is cut off has a broken record', async () => {
  const line = '{"client_id":"a","redirect_uris":[]}'
  assert.equal(await outcomes(`${line}\n{"client_id":\n${line}`, 'node-oidc-provider'), [
    '1 client',
    '2 broken import-json',
    '3 client',
  ])
  assert.equal(await outcomes(`[${line},\n{"client_id"`, 'connect2id'), ['1 client', '2 broken import-json'])
  assert.equal(await outcomes(`[${line}`, 'connect2id'), ['1 client', '1 broken import-json'])
  assert.equal(await outcomes('{"clients":[{"clientId":"a"},\n', 'keycloak'), ['1 client', '2 broken import-json'])
  assert.equal(await outcomes('', 'keycloak'), [])
})

Split('a record that is no JSON is told with the line of its flaw, also within a record of several lines', async () => {
  const flaws = async (text: string, format: keyof typeof clientFormats) => {
    const all: Array<string> = []
    const chunks = (async function* () {
      yield await Promise.resolve(text)
    })()
    for await (const { read } of readRecords(chunks, clientFormats[format]))
      if (read.kind === 'broken')
        all.push(...read.faults.map(({ description }) => description.replace(/.* correct it/, '')))
    return all
  }
  assert.equal(await flaws('{"client_id":"a"}\n{"client_id"}\n', 'node-oidc-provider'), [' (line 2)'])
  assert.equal(await flaws('[\n\n {\n  "client_id": "a",\n  "b": 1,,\n }\n]', 'connect2id'), [' (line 5)'])
})

Split('lines, arrays and single objects of one format are told apart', async () => {
  const client = '{"client_id":"a","redirect_uris":[]}'
  const pretty = JSON.stringify(JSON.parse(client), null, 2)
  for (const text of [client, pretty, `[${client}]`, `{"items":[${client}]}`, `\n${client}\n`])
    assert.equal(
      (await outcomes(text, 'hydra')).map((each) => each.replace(/^\d+ /, '')),
      ['client'],
      text,
    )
})

const ids = fc.array(fc.string(), { maxLength: 3_000 })

it('an id is seen once it was added, and not before', [ids], (all) => {
  const wasSeen = createSeenIds()
  const known = new Set<string>()
  for (const id of all) {
    assert.is(wasSeen(id), known.has(id))
    known.add(id)
  }
})

Split.run()
