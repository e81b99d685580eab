import * as E from 'fp-ts/lib/Either.js'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DataFiles } from '../../src/config/database.js'
import { type PreparedData, prepareFirstRun } from '../../src/data/first-run.js'
import { writeSecretFile } from '../../src/data/data-directory.js'

type Configured = Partial<Parameters<typeof prepareFirstRun>[0]>

const start = (directory: string, configured: Configured = {}): E.Either<string, PreparedData> =>
  prepareFirstRun({
    'data-dir': directory,
    'database-url': { scheme: 'sqlite', file: 'clientele.db' },
    'master-token': undefined,
    'previous-master-token': undefined,
    'encryption-key': undefined,
    ...configured,
  })

const started = (directory: string): PreparedData & { readonly files: DataFiles } => {
  const result = start(directory)
  if (E.isLeft(result)) throw new Error(result.left)
  const { files } = result.right
  if (files === undefined) throw new Error('the data is in files')
  return { ...result.right, files }
}

const refusal = (directory: string, configured: Configured = {}): string => {
  const result = start(directory, configured)
  return E.isLeft(result) ? result.left : 'not refused'
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

const firstRun = suite<{ parent: string; directory: string }>('first run')

firstRun.before.each((context) => {
  context.parent = mkdtempSync(join(tmpdir(), 'clientele-'))
  context.directory = join(context.parent, 'data')
})

firstRun.after.each(({ parent }) => rmSync(parent, { recursive: true }))

firstRun('the first start makes the directory and both secrets, for their owner only', ({ directory }) => {
  const { made, found, files } = started(directory)
  assert.equal(made, [files.encryptionKey, files.masterToken])
  assert.equal(found, [])
  assert.is(modeOf(directory), 0o700)
  assert.is(modeOf(files.masterToken), 0o600)
  assert.is(modeOf(files.encryptionKey), 0o600)
  assert.match(readFileSync(files.masterToken, 'utf8'), /^[A-Za-z0-9]{43}\n$/)
  assert.match(readFileSync(files.encryptionKey, 'utf8'), /^[A-Za-z0-9_-]{43}\n$/)
  assert.equal(readdirSync(directory).sort(), ['encryption-key', 'master-token'])
})

firstRun('the second start finds what the first made', ({ directory }) => {
  const first = started(directory)
  const second = started(directory)
  assert.equal(second.made, [])
  assert.equal(second.found, first.made)
  assert.equal(second.masterToken, first.masterToken)
  assert.equal(second.encryptionKeys, first.encryptionKeys)
})

firstRun('two installations never have the same secrets', ({ parent }) => {
  const one = started(join(parent, 'one'))
  const other = started(join(parent, 'other'))
  assert.not.equal(one.masterToken, other.masterToken)
  assert.not.equal(one.encryptionKeys, other.encryptionKeys)
})

firstRun('configured secrets are used, and no file is made for them', ({ directory }) => {
  const key = Buffer.alloc(32, 1)
  const result = start(directory, {
    'master-token': { kind: 'token', token: 'x'.repeat(40) },
    'encryption-key': [key],
  })
  assert.equal(E.isRight(result) && result.right.encryptionKeys, [key])
  assert.equal(readdirSync(directory), [])
})

for (const name of ['master-token', 'encryption-key']) {
  firstRun(`a ${name} that others may use is refused, with the remedy and without its value`, ({ directory }) => {
    const { files } = started(directory)
    const path = join(directory, name)
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(path, mode)
      assert.match(refusal(directory), `chmod 600 ${path}`)
      assert.not.match(refusal(directory), readFileSync(path, 'utf8').trim())
    }
    assert.ok(existsSync(files.masterToken))
  })

  firstRun(`a malformed ${name} is refused and stays as it is`, ({ directory }) => {
    started(directory)
    const path = join(directory, name)
    for (const text of ['', 'short', 'ü'.repeat(43)]) {
      writeFileSync(path, text)
      assert.match(refusal(directory), `${path} must hold`)
      assert.is(readFileSync(path, 'utf8'), text)
    }
  })
}

firstRun('a database without its encryption key is refused: a new key could not open it', ({ directory }) => {
  const { files } = started(directory)
  writeFileSync(files.database, 'sealed with the old key')
  rmSync(files.encryptionKey)
  assert.match(refusal(directory), `${files.encryptionKey} is missing`)
  assert.not.ok(existsSync(files.encryptionKey))
  assert.ok(E.isRight(start(directory, { 'encryption-key': [Buffer.alloc(32)] })))
})

firstRun(
  'a database elsewhere has a directory of its own, and the secrets stay in data-dir',
  ({ parent, directory }) => {
    const file = join(parent, 'elsewhere', 'below', 'store.db')
    const result = start(directory, { 'database-url': { scheme: 'sqlite', file } })
    assert.ok(E.isRight(result))
    assert.is(result.right.database, file)
    assert.equal(readdirSync(directory).sort(), ['encryption-key', 'master-token'])
    assert.is(modeOf(join(parent, 'elsewhere', 'below')), 0o700)
    writeFileSync(file, 'sealed with the old key')
    rmSync(join(directory, 'encryption-key'))
    assert.match(refusal(directory, { 'database-url': { scheme: 'sqlite', file } }), `but ${file} was sealed with it`)
  },
)

firstRun(
  'a directory of the database that others may change or that is a file is refused, and nothing is made',
  (world) => {
    const shared = join(world.parent, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    writeFileSync(join(shared, 'file'), '')
    const at = (file: string) => refusal(world.directory, { 'database-url': { scheme: 'sqlite', file } })
    assert.is(at(join(shared, 'store.db')), `${shared} may be changed by others than its owner: chmod go-w ${shared}`)
    assert.is(at(join(shared, 'file', 'store.db')), `${join(shared, 'file')} is a file: correct database-url`)
    assert.match(
      at('/proc/nowhere/store.db'),
      /^the directory of the database \/proc\/nowhere cannot be made .*: correct database-url/,
    )
    assert.equal(readdirSync(world.directory), [])
  },
)

firstRun('a lost master token is replaced by a new one', ({ directory }) => {
  const { files, masterToken } = started(directory)
  writeFileSync(files.database, 'a database')
  rmSync(files.masterToken)
  const again = started(directory)
  assert.equal(again.made, [files.masterToken])
  assert.not.equal(again.masterToken, masterToken)
})

firstRun('a directory that cannot be made is refused by name, and a file in its place is told', ({ parent }) => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  assert.is(refusal(file), `${file} is a file: correct data-dir`)
  const below = join(file, 'data')
  assert.is(
    refusal(below),
    `the data directory ${below} cannot be made (a part of the path is a file, ENOTDIR): correct data-dir or its permissions`,
  )
})

firstRun('parents that are missing are made, for their owner only', ({ directory }) => {
  started(join(directory, 'one', 'two'))
  assert.equal([directory, join(directory, 'one'), join(directory, 'one', 'two')].map(modeOf), [0o700, 0o700, 0o700])
})

firstRun(
  'a directory whose files others may replace is refused, and one that they may read is not',
  ({ directory }) => {
    started(directory)
    for (const mode of [0o777, 0o1777, 0o770, 0o720, 0o702]) {
      chmodSync(directory, mode)
      assert.is(refusal(directory), `${directory} may be changed by others than its owner: chmod go-w ${directory}`)
    }
    chmodSync(directory, 0o755)
    assert.ok(E.isRight(start(directory)))
  },
)

// Only root may change the owner of a file.
if (getuid?.() === 0)
  for (const name of ['master-token', 'encryption-key'])
    firstRun(
      `a ${name} of another user is refused, behind a link too, and without its value`,
      ({ directory, parent }) => {
        started(directory)
        const path = join(directory, name)
        const elsewhere = join(parent, 'elsewhere')
        chownSync(path, 12_345, 12_345)
        assert.match(refusal(directory), `${path} belongs to the user 12345`)
        assert.not.match(refusal(directory), readFileSync(path, 'utf8').trim())
        renameSync(path, elsewhere)
        symlinkSync(elsewhere, path)
        assert.match(refusal(directory), `${path} belongs to the user 12345`)
        chownSync(elsewhere, 0, 0)
        assert.ok(E.isRight(start(directory)))
      },
    )

firstRun('a secret that somebody else is just making is taken, and nothing is left over', ({ directory }) => {
  const path = join(directory, 'master-token')
  mkdirSync(directory)
  writeFileSync(path, 'x'.repeat(43), { mode: 0o600 })
  assert.equal(writeSecretFile(path, 'y'.repeat(43)), E.right(undefined))
  assert.is(readFileSync(path, 'utf8'), 'x'.repeat(43))
  assert.equal(readdirSync(directory), ['master-token'])
})

firstRun.run()
