import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageSection } from '../../src/config/pages.js'

const settings = suite('the settings of the pages')
const it = law(settings)
const folder = mkdtempSync(join(tmpdir(), 'clientele-logo-'))
settings.after(() => rmSync(folder, { recursive: true }))

const isTaken = (name: keyof typeof pageSection, text: string): boolean => {
  const parsed: E.Either<string, unknown> = pageSection[name].parse(text)
  return E.isRight(parsed)
}

it('every text is taken or refused', [fc.string({ unit: 'binary' })], (text) => {
  for (const { parse } of Object.values(pageSection)) parse(text)
})

settings('a name is one line of text, without what changes its direction', () => {
  for (const name of ['Example ID', 'مثال', 'Müller & Söhne']) assert.ok(isTaken('service-name', name), name)
  for (const name of ['', ' ', ' a', 'a\nb', 'a\u202Eb', 'x'.repeat(81)])
    assert.not.ok(isTaken('service-name', name), name)
})

settings('a colour has six digits, and a link goes to the web or stays here', () => {
  assert.equal(pageSection['service-color'].parse('#B3261E'), E.right('#b3261e'))
  for (const color of ['red', '#fff', 'b3261e', '#b3261e;}']) assert.not.ok(isTaken('service-color', color), color)
  for (const url of ['/', '/home?x=1', 'https://www.example.com/']) assert.ok(isTaken('service-url', url), url)
  for (const url of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'www.example.com', 'https://', ''])
    assert.not.ok(isTaken('service-url', url), url)
})

settings('a picture becomes part of the pages, if it is small and of a known kind', () => {
  const file = (name: string, bytes: number): string => {
    const path = join(folder, name)
    writeFileSync(path, Buffer.alloc(bytes, 65))
    return path
  }
  assert.equal(pageSection['service-logo'].parse(file('a.PNG', 3)), E.right('data:image/png;base64,QUFB'))
  for (const path of [file('a.txt', 3), file('b.png', 65_537), file('c.png', 0), join(folder, 'none.png'), folder])
    assert.not.ok(isTaken('service-logo', path), path)
})

settings('protected names have hosts, or none', () => {
  const parsed = pageSection['protected-names'].parse(
    'Example Bank=bank.example; Acme = acme.example, acme.test;Clientele',
  )
  assert.equal(
    parsed,
    E.right([
      { name: 'Example Bank', hosts: ['bank.example'] },
      { name: 'Acme', hosts: ['acme.example', 'acme.test'] },
      { name: 'Clientele', hosts: [] },
    ]),
  )
  for (const text of ['=bank.example', 'Bank=https://bank.example', 'Bank=BANK.example', 'Bank=*.example', 'a\u202Eb'])
    assert.not.ok(isTaken('protected-names', text), text)
})

settings.run()
