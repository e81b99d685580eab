import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dataFiles, databaseUrl, databaseUrlText } from '../../src/config/database.js'
import { run } from '../cli/run.js'

const setting = suite('database-url')

const sqlite = (file: string) => E.right({ scheme: 'sqlite' as const, file })

const fileAt = (directory: string, text: string): string => {
  const url = databaseUrl(text)
  if (E.isLeft(url)) throw new Error(url.left)
  return String(dataFiles({ 'data-dir': directory, 'database-url': url.right })?.database)
}

setting('a file is named relative to data-dir, or by its absolute path', () => {
  assert.is(fileAt('/data', 'sqlite:clientele.db'), '/data/clientele.db')
  assert.is(fileAt('/data', 'sqlite:below/store.db'), '/data/below/store.db')
  assert.is(fileAt('/data', 'sqlite:../store.db'), '/store.db')
  assert.is(fileAt('/data', 'sqlite:///var/lib/my store.db'), '/var/lib/my store.db')
  assert.is(fileAt('/data', 'sqlite:///var/lib/../store.db'), '/var/store.db')
  assert.is(fileAt('/data', 'sqlite:////var//store.db'), '/var/store.db')
})

setting('what names no file, or could mean another one, is refused', () => {
  for (const text of [
    '',
    'clientele.db',
    '/var/lib/clientele.db',
    'sqlite',
    'sqlite:',
    'sqlite:/clientele.db',
    'sqlite://clientele.db',
    'sqlite://localhost/clientele.db',
    'sqlite:///',
    'sqlite:///var/..',
    'sqlite:below/',
    'sqlite:clientele.db?mode=ro',
    'sqlite:clientele.db#x',
    'sqlite:///var/%6c.db',
    'sqlite:a\\b',
    'sqlite:a\u0000b',
    'sqlite:a\nb',
    'sqlite:a ',
    'SQLITE:clientele.db',
    'constructor:x',
  ])
    assert.match(E.isLeft(databaseUrl(text)) ? 'refused' : text, 'refused')
})

setting('another kind of database is refused with the rule and the remedy, before anything starts', async () => {
  for (const argv of [['config', 'check'], ['serve'], ['keys', 'list']]) {
    const { status, errors } = await run([...argv, '--database-url=mysql://operator:SECRET@db/clientele'])
    assert.is(status, 1)
    assert.is(
      errors,
      'database-url (flag --database-url) must be sqlite:FILE, relative to data-dir, or sqlite:///PATH, without ? # % and ' +
        'backslashes; or postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with % before the codes of special characters, ' +
        'and commas between several HOST:PORT; no other kind of database is known: correct it, or remove it for the default (sqlite:clientele.db)\n',
    )
  }
})

setting('config print shows it as it is given', async () => {
  const shown = async (...argv: ReadonlyArray<string>): Promise<unknown> =>
    JSON.parse((await run(['config', 'print', '--json', ...argv])).output)['database-url'].value
  assert.is(await shown(), 'sqlite:clientele.db')
  assert.is(await shown('--database-url', 'sqlite:///var/lib/my store.db'), 'sqlite:///var/lib/my store.db')
})

const segment = fc.string({ unit: 'grapheme', minLength: 1 })

setting('any text is refused, or read as a URL that names the same file again', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(segment).map((segments) => `sqlite:${segments.join('/')}`),
    fc.array(segment).map((segments) => `sqlite:///${segments.join('/')}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const read = databaseUrl(text)
      if (E.isLeft(read)) return read.left.startsWith('sqlite:FILE')
      assert.equal(databaseUrl(databaseUrlText(read.right)), read)
      return true
    }),
  )
})

setting('a plain name is taken as it stands', () => {
  const name = fc.stringMatching(/^[\w.-]*[\w-]$/)
  fc.assert(fc.property(name, (file) => assert.equal(databaseUrl(`sqlite:${file}`), sqlite(file))))
  fc.assert(fc.property(name, (file) => assert.equal(databaseUrl(`sqlite:///${file}`), sqlite(`/${file}`))))
})

setting.run()
