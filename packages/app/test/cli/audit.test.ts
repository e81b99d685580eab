import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/observing/log.js'
import { freezeDate } from '../support/frozen-date.js'
import { type Ran, run, started } from './run.js'

// Rows of the audit log that are changed by hand show: a stopped service leaves checkpoints, and SQL changes the file. The
// first row is that of the first keys.
type World = {
  directory: string
  again: () => Promise<void>
  command: (...argv: ReadonlyArray<string>) => Promise<Ran>
  sql: (text: string) => void
}

const Audit = suite<World>('clientele audit')

Audit.before.each(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const dataDir = join(context.directory, 'data')
  const flags = { 'data-dir': dataDir, 'signing-algorithms': 'ES256' }
  const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  context.command = (...argv) => run([...argv, ...given])
  context.again = async () => {
    const service = await started(flags)
    for (const name of ['first', 'second', 'third'])
      await context.command('operator-token', 'issue', '--may', 'keys', '--name', name)
    await service.stop()
  }
  await context.again()
  context.sql = (text) => {
    const db = new Database(join(dataDir, 'clientele.db'))
    db.exec(text)
    db.close()
  }
})
Audit.after.each(({ directory }) => rmSync(directory, { recursive: true }))

Audit('a log that nobody touched verifies', async ({ command }) => {
  const { status, output } = await command('audit', 'verify')
  assert.match(output, /^4 rows in \d+ checkpoints?, 0 rows wait for one\nLast checkpoint: \d+ of /)
  assert.is(status, 0)
})

Audit('a log whose last checkpoint a compromised key signed verifies, without a service too', async ({ command }) => {
  const { keys } = JSON.parse((await command('keys', 'list', '--json')).output) as {
    keys: ReadonlyArray<{ kid: string }>
  }
  const linked = async () => /^Last checkpoint: .*$/m.exec((await command('audit', 'verify')).output)?.[0]
  await command('operator-token', 'issue', '--may', 'keys')
  const before = await linked()
  for (const { kid } of keys) assert.is((await command('keys', 'compromise', kid, '--dry-run')).status, 0)
  assert.is(await linked(), before, 'a dry run writes no checkpoint')
  for (const { kid } of keys) assert.is((await command('keys', 'compromise', kid, '--yes')).status, 0)
  const { status, output } = await command('audit', 'verify')
  assert.match(output, /^\d+ rows in \d+ checkpoints?, 0 rows wait for one\n/)
  assert.is(status, 0, output)
})

Audit('commands without a service write rows as well', async ({ command }) => {
  await command('operator-token', 'issue', '--may', 'keys')
  const { status, output } = await command('audit', 'verify')
  assert.match(output, '1 row waits for one')
  assert.is(status, 0)
  const listed = await command('audit', 'list', '--limit', '1')
  assert.match(
    listed.output,
    /an operator token was issued\n {2}id \S+, by the operator of this machine, through a command without the service, request /,
  )
})

const planted: ReadonlyArray<readonly [string, string, RegExp]> = [
  [
    'an edited entry',
    `UPDATE audit_rows SET entry = replace(entry, 'operator_token_issued', 'operator_token_revoked') WHERE ordinal = 2`,
    /^Row 2 was changed/,
  ],
  ['an edited column', `UPDATE audit_rows SET at = at - 86400 WHERE ordinal = 2`, /^Row 2 was changed/],
  ['an edited client', `UPDATE audit_rows SET client_id = 'other' WHERE ordinal = 2`, /^Row 2 was changed/],
  ['a removed row', 'DELETE FROM audit_rows WHERE ordinal = 2', /^Row 2 is missing/],
  ['the last row, removed', 'DELETE FROM audit_rows WHERE ordinal = 4', /^Row 4 is missing/],
  ['all rows, removed', 'DELETE FROM audit_rows', /^Row 1 is missing/],
  ['a moved row', 'UPDATE audit_rows SET ordinal = 20 WHERE ordinal = 2', /^Row 2 is missing/],
  [
    'two rows that changed places',
    'UPDATE audit_rows SET ordinal = -ordinal WHERE ordinal < 3; UPDATE audit_rows SET ordinal = 3 + ordinal WHERE ordinal < 0',
    /^Row 1 (?:was changed|is missing)/,
  ],
  [
    'a row with a digest of its own',
    `INSERT INTO audit_rows (at, client_id, actor, entry, mac) SELECT at, client_id, actor, entry, 'x' FROM audit_rows WHERE ordinal = 1`,
    /^Row 5 was not written/,
  ],
  [
    'a row before those of a checkpoint',
    `INSERT INTO audit_rows (ordinal, at, client_id, actor, entry, mac) SELECT 0, at, client_id, actor, entry, 'x' FROM audit_rows WHERE ordinal = 1`,
    /^Row 0 was not written/,
  ],
  [
    'a copied row',
    `INSERT INTO audit_rows (at, client_id, actor, entry, mac) SELECT at, client_id, actor, entry, mac FROM audit_rows WHERE ordinal = 1`,
    /^Row 5 was not written by this service, or was copied/,
  ],
  ['an edited checkpoint', 'UPDATE audit_checkpoints SET highest = highest + 1', /^Checkpoint 1 does not match/],
  ['a checkpoint that is no JWS', `UPDATE audit_checkpoints SET jws = 'no'`, /^Checkpoint 1 cannot be read/],
  [
    'a checkpoint with another signature',
    `UPDATE audit_checkpoints SET jws = substr(jws, 1, length(jws) - 6) || 'AAAAAA'`,
    /has no valid signature/,
  ],
]

for (const [name, statements, expected] of planted)
  Audit(`${name} shows`, async ({ command, sql }) => {
    sql(statements)
    const { status, output } = await command('audit', 'verify')
    assert.match(output, expected)
    assert.is(status, 1)
  })

Audit('rows for which no checkpoint can be made show after a minute', async ({ command, sql, again }) => {
  sql("CREATE TRIGGER none BEFORE INSERT ON audit_checkpoints BEGIN SELECT RAISE(ABORT, 'no'); END")
  await again()
  assert.match((await command('audit', 'verify')).output, /^4 rows in \d+ checkpoints?, 3 rows wait for one$/m)
  const later = freezeDate()
  later.pass(90)
  const { status, output } = await command('audit', 'verify')
  later.restore()
  assert.match(
    output,
    /^Row 5 waits for its checkpoint for more than a minute\n(?:Row .+\n){2}A row without .+ start it/,
  )
  assert.is(status, 1)
})

Audit('a trigger that removes rows is told by the start and by doctor', async ({ command, directory, sql }) => {
  sql('CREATE TRIGGER t AFTER INSERT ON audit_rows BEGIN DELETE FROM audit_rows WHERE mac = NEW.mac; END')
  const lines: Array<string> = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line), writableLength: 0 })
  const flags = { 'data-dir': join(directory, 'data'), 'signing-algorithms': 'ES256' }
  const service = await started(flags, { log })
  await service.stop()
  assert.match(lines.join(''), '"differences":["trigger t is not of this service"]')
  const { status, output } = await command('doctor')
  assert.is(status, 1)
  assert.match(
    output,
    'FAULT   database: The database has another schema than this service makes: trigger t is not of this service',
  )
})

const withoutCheckpoint = (number: number): string => `
DELETE FROM audit_rows WHERE ordinal IN (
  SELECT audit_rows.ordinal FROM audit_checkpoints, audit_rows
  WHERE number = ${number} AND audit_rows.ordinal >= lowest AND audit_rows.ordinal <= highest);
DELETE FROM audit_checkpoints WHERE number = ${number}`

Audit('checkpoints that are removed with their rows show, except by age', async ({ command, sql, again }) => {
  await again()
  sql(withoutCheckpoint(1))
  const { status, output } = await command('audit', 'verify')
  assert.match(output, /^Checkpoint 2 is the earliest one/)
  assert.is(status, 1)
})

Audit('a checkpoint that is removed from the middle shows', async ({ command, sql, again }) => {
  await again()
  await again()
  sql(withoutCheckpoint(2))
  const { status, output } = await command('audit', 'verify')
  assert.match(output, /Checkpoint 3 does not follow the checkpoint before it/)
  assert.is(status, 1)
})

Audit('a log that lost its end is told by the digest of its last checkpoint', async ({ command, sql }) => {
  const [, digest = ''] = /digest (\S+)$/m.exec((await command('audit', 'verify')).output) ?? []
  assert.is((await command('audit', 'verify', '--contains', digest)).status, 0)
  sql('DELETE FROM audit_rows; DELETE FROM audit_checkpoints')
  assert.is((await command('audit', 'verify')).status, 0)
  const { status, output } = await command('audit', 'verify', '--contains', digest)
  assert.is(status, 1)
  assert.match(output, 'No checkpoint has the digest')
})

Audit('the list is by client, actor and time, in pages, and in JSON', async ({ command }) => {
  const page = JSON.parse((await command('audit', 'list', '--limit', '2', '--json')).output) as {
    rows: ReadonlyArray<{ ordinal: number }>
    next: string
  }
  assert.equal(
    page.rows.map(({ ordinal }) => ordinal),
    [4, 3],
  )
  const rest = (await command('audit', 'list', '--before', page.next, '--actor', 'store')).output
  assert.is(rest.match(/an operator token was issued/g)?.length, 1)
  assert.is((await command('audit', 'list', '--client', 'nobody')).output, 'The audit log has no such row\n')
  assert.is((await command('audit', 'list', '--since', '2999-01-01')).output, 'The audit log has no such row\n')
  assert.is((await command('audit', 'list', '--until', '2020-01-01')).output, 'The audit log has no such row\n')
  const ofKeys = (await command('audit', 'list', '--action', 'keys_rotated', '--json')).output
  assert.equal(
    (JSON.parse(ofKeys) as { rows: ReadonlyArray<{ ordinal: number }> }).rows.map(({ ordinal }) => ordinal),
    [1],
  )
  const wrong = ['--since', 'yesterday', '--until', 'now', '--limit', '0', '--before', 'the end', '--action', 'theft']
  const refused = await command('audit', 'list', ...wrong)
  assert.is(refused.status, 1)
  for (const rule of [
    'since must be',
    'until must be',
    'limit must be',
    'before must be the next',
    'action must be one of',
  ])
    assert.match(refused.errors, rule)
})

Audit.run()
