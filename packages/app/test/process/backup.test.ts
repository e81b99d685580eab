// The commands backup and restore beside a running service, and after its end.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, launch, newDataDir, startService } from '../support/service.js'

const backups = suite('backup and restore, process')

const settings = { CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' }

const command = async (dataDir: string, ...argv: ReadonlyArray<string>) => {
  const { child, exited, output } = launch(argv, { CLIENTELE_DATA_DIR: dataDir })
  child.stdin?.end()
  return { status: await exited, ...output() }
}

const readsOwn = async (service: Service, registered: Awaited<ReturnType<typeof register>>): Promise<number> => {
  const path = `/clients/${String(registered.json['client_id'])}`
  return (await send(service, path, { token: configurationOf(registered).token })).status
}

backups(
  'a backup of the running service is restored on another machine, where consumed tokens stay consumed',
  async () => {
    const dataDir = newDataDir()
    const file = join(dataDir, 'monday.db')
    const service = await startService(settings, dataDir)
    const before = await register(service)
    const consumed = await issueToken(service, 'client-reg')
    const operator = await command(dataDir, 'operator-token', 'issue', '--may', 'tokens', '--json')
    const { id, access_token } = JSON.parse(operator.stdout)
    const made = await command(dataDir, 'backup', file)
    assert.is(made.status, 0, made.stderr)
    assert.match(made.stdout, /monday\.db: 1 client, \d+ bytes/)
    assert.is(statSync(file).mode & 0o777, 0o600)
    assert.is((await register(service, { redirect_uris }, consumed)).status, 200)
    const after = await register(service)
    assert.is((await command(dataDir, 'operator-token', 'revoke', id)).status, 0)
    const again = await command(dataDir, 'backup', file)
    assert.is(again.status, 1)
    assert.match(again.stderr, 'is there already')
    const verified = await command(dataDir, 'restore', file, '--verify')
    assert.is(verified.status, 0, verified.stderr)
    assert.match(verified.stdout, 'is whole, and the keys open all of it: 1 client\n')
    const refused = await command(dataDir, 'restore', file, '--yes')
    assert.is(refused.status, 1)
    assert.match(refused.stderr, 'in use by another service')
    assert.is(await readsOwn(service, after), 200)
    const secrets = [
      service.master,
      consumed,
      access_token,
      configurationOf(before).token,
      String(before.json['client_secret']),
    ]
    for (const secret of secrets) assert.not.ok(readFileSync(file).includes(secret))
    await service.stop()

    const other = newDataDir()
    const early = await command(other, 'restore', file, '--yes')
    assert.is(early.status, 1)
    assert.match(early.stderr, 'put the key of the time of the backup there')
    assert.not.ok(existsSync(join(other, 'clientele.db')))
    writeFileSync(join(other, 'encryption-key'), readFileSync(join(dataDir, 'encryption-key')), { mode: 0o600 })
    const missing = await command(other, 'restore', `${file}.none`, '--yes')
    assert.equal(
      [missing.status, missing.stderr],
      [1, `clientele: ${file}.none does not exist: name a file of clientele backup\n`],
    )
    const questioned = await command(other, 'restore', file)
    assert.is(questioned.status, 1)
    assert.match(questioned.stderr, 'initial access tokens: 1. Issue new ones')
    assert.match(questioned.stderr, 'operator tokens: 1. Issue new ones')
    assert.match(questioned.stderr, 'nothing was done')
    assert.not.ok(existsSync(join(other, 'clientele.db')))
    const restored = await command(other, 'restore', file, '--yes')
    assert.is(restored.status, 0, restored.stderr)
    const moved = await startService(settings, other)
    assert.is(await readsOwn(moved, before), 200)
    assert.is(await readsOwn(moved, after), 401)
    assert.is((await register(moved, { redirect_uris }, consumed)).status, 401)
    assert.is((await fetch(`${moved.base}/jwks.json`)).status, 200)
    const listTokens = async (): Promise<number> =>
      (await send(moved, '/initial-access-tokens', { token: access_token })).status
    assert.is(await listTokens(), 401)
    await moved.stop()
    discard(dataDir)
    discard(other)
  },
)

backups('the backup of before an upgrade takes the place of a database that a newer release has migrated', async () => {
  const dataDir = newDataDir()
  const file = join(dataDir, 'before-upgrade.db')
  const service = await startService(settings, dataDir)
  const registered = await register(service)
  assert.is((await command(dataDir, 'backup', file)).status, 0)
  await service.stop()
  const database = new Database(join(dataDir, 'clientele.db'))
  database.exec('CREATE TABLE of_a_newer_release (id INTEGER)')
  database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true })) + 1}`)
  database.close()
  const refused = await command(dataDir, 'serve', '--port', '0')
  assert.is(refused.status, 1)
  assert.match(refused.stderr, /^clientele: .*newer.*\n$/)
  const restored = await command(dataDir, 'restore', file, '--yes')
  assert.is(restored.status, 0, restored.stderr)
  assert.is(readdirSync(dataDir).filter((name) => name.startsWith('clientele.db.replaced-')).length, 1)
  const earlier = await startService(settings, dataDir)
  assert.is(await readsOwn(earlier, registered), 200)
  await earlier.stop()
  discard(dataDir)
})

backups('a start that finds a database and no key is refused with the remedy', async () => {
  const dataDir = newDataDir()
  await (await startService(settings, dataDir)).stop()
  rmSync(join(dataDir, 'encryption-key'))
  const started = await command(dataDir, 'serve', '--port', '0')
  assert.is(started.status, 1)
  assert.match(started.stderr, /encryption-key is missing.*restore it from a backup, or set encryption-key/)
  assert.not.ok(existsSync(join(dataDir, 'encryption-key')))
  discard(dataDir)
})

backups('with PostgreSQL, the commands of its own programs are shown, without the password', async () => {
  const dataDir = newDataDir()
  const url = [
    '--database-url',
    'postgresql://user:s3cret-of-it@127.0.0.1/clientele',
    '--base-url',
    'https://op.example',
  ]
  const others = ['--master-token', 'x'.repeat(40), '--encryption-key', Buffer.alloc(32, 1).toString('base64url')]
  for (const [name, program] of [
    ['backup', 'pg_dump --format=custom'],
    ['restore', 'pg_restore --exit-on-error'],
  ] as const) {
    const { status, stdout, stderr } = await command(
      dataDir,
      name,
      'monday.dump',
      ...url,
      ...others,
      ...(name === 'restore' ? ['--yes'] : []),
    )
    assert.is(status, 1)
    assert.match(stderr, program)
    assert.not.match(stdout + stderr, 's3cret')
  }
  discard(dataDir)
})

backups.run()
