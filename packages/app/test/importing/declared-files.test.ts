import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readDeclaredClients } from '../../src/importing/declared-files.js'

const Declared = suite('the numbers of declared clients')

const read = async (name: string, text: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  writeFileSync(join(directory, name), text)
  const clients = await readDeclaredClients(directory)
  rmSync(directory, { recursive: true })
  return clients
}

Declared('every number that would come back as another one is named with its member and line', async () => {
  const changed = ['12345678901234567890', '1e-400', '1e400', '0.1234567890123456789']
  for (const number of changed) {
    const faulty = await read(
      'shop.json',
      `{"client_id": "shop",\n"data": {"n": 1, "m": [${number}]},\n"k": ${number}}`,
    )
    const faults = E.isLeft(faulty) ? faulty.left.split('\n') : []
    assert.equal(
      faults.map((line) => line.slice(0, line.indexOf(':', 10))),
      [
        'shop.json:2  m has a number that would come back as another one, or that JSON does not have (RFC 8259 §6)',
        'shop.json:3  k has a number that would come back as another one, or that JSON does not have (RFC 8259 §6)',
      ],
      number,
    )
  }
  for (const number of [
    '.inf',
    '-.Inf',
    '.nan',
    '+12345678901234567890',
    '0xffffffffffffffff',
    '-.1234567890123456789',
  ])
    assert.ok(E.isLeft(await read('shop.yaml', `client_id: shop\ndata: { n: ${number} }`)), number)
})

Declared('every other number is taken with its value', async () => {
  for (const [text, n] of [
    ['1.0', 1],
    ['1e2', 100],
    ['+12345678901234567000', 12345678901234567000],
    ['0x20000000000000', 2 ** 53],
    ['0o17', 15],
    ['-.5', -0.5],
    ['+.1234567890123456', 0.1234567890123456],
    ['"12345678901234567890"', '12345678901234567890'],
  ] as const) {
    const clients = await read('shop.yaml', `client_id: shop\ndata: { n: ${text} }`)
    assert.equal(E.isRight(clients) && clients.right[0]?.members, { client_id: 'shop', data: { n } }, text)
  }
})

Declared.run()
