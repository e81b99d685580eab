import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Ran, post, run, started } from './run.js'

type World = {
  directory: string
  command: (...argv: ReadonlyArray<string>) => Promise<Ran>
  client: Readonly<Record<string, string>>
}

const registered = async ({ url }: Service): Promise<World['client']> => {
  const answer = await post(`${url}/clients`, '', { redirect_uris: ['https://rp.example/cb'] })
  return JSON.parse(await answer.text())
}

const flagsOf = (directory: string) => ({
  'data-dir': join(directory, 'data'),
  'signing-algorithms': 'ES256',
  'allow-open-registration': 'true',
})
const ids = ({ output }: Ran): ReadonlyArray<string> =>
  JSON.parse(output).tokens.map(({ id }: { readonly id: string }) => id)
const foreign = ({ output }: Ran): ReadonlyArray<{ readonly kid: string }> => JSON.parse(output).foreign

const reads = async (service: Service, { client_id, registration_access_token }: World['client']): Promise<number> =>
  (
    await fetch(`${service.url}/clients/${client_id}`, {
      headers: { Authorization: `Bearer ${registration_access_token}` },
    })
  ).status

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`credentials ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const flags = flagsOf(context.directory)
    service = await started(flags)
    context.client = await registered(service)
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    context.command = (...argv) => run([...argv, ...given])
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  test('token list tells what is in force and no token; a token that is revoked is gone', async ({ command }) => {
    assert.is((await command('token', 'list')).output, 'No initial access token is in force\n')
    const issued = (await command('token', 'issue', '--scope', 'client-reg', '--lifetime', '60')).output.trim()
    await command('token', 'issue', '--scope', 'client-reg client-reg:data')
    const text = await command('token', 'list')
    assert.match(
      text.output,
      /^\S{43}\n {2}client-reg\n {2}for \d+ seconds, until \d{4}-\S+Z, issued by .+\n\S{43}\n {2}client-reg client-reg:data\n/,
    )
    assert.not.match(text.output, issued)
    const [first = '', second = ''] = ids(await command('token', 'list', '--json'))
    assert.equal(await command('token', 'revoke', first), {
      status: 0,
      output: 'The token registers no client any more\n',
      errors: '',
    })
    assert.equal(ids(await command('token', 'list', '--json')), [second])
    const again = await command('token', 'revoke', first)
    assert.is(again.status, 1)
    assert.match(again.errors, /No initial access token in force has this id/)
  })

  test('clients renew gives new credentials, and those that leaked count no more', async ({
    command,
    client,
    directory,
  }) => {
    const { status, output } = await command('clients', 'renew', client['client_id'] ?? '', '--json')
    assert.is(status, 0)
    const renewed = JSON.parse(output)
    assert.is(renewed.client_id, client['client_id'])
    assert.is.not(renewed.client_secret, client['client_secret'])
    assert.match(renewed.client_secret, /^\w{20,}$/)
    const text = await command('clients', 'renew', client['client_id'] ?? '')
    assert.match(text.output, /^client_id +\S+\nclient_secret +\S+\nregistration_access_token +\S+\n$/)
    const unknown = await command('clients', 'renew', 'nobody')
    assert.equal(
      [unknown.status, unknown.errors],
      [1, 'clientele: no client has this id: clientele clients list lists them\n'],
    )
    const serving = way === 'on the store' ? await started(flagsOf(directory)) : service
    if (serving === undefined) throw new Error('nothing serves')
    assert.is(await reads(serving, client), 401)
    assert.is(await reads(serving, renewed), 401)
    const latest = / (\S+)\n$/.exec(text.output)?.[1] ?? ''
    assert.is(await reads(serving, { ...client, registration_access_token: latest }), 200)
    if (way === 'on the store') await serving.stop()
  })

  test('keys of another signer are published, listed and removed', async ({ command, directory }) => {
    const file = join(directory, 'theirs.json')
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(file, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'theirs' }] }))
    const dry = await command('keys', 'import', file, '--foreign', '--dry-run')
    assert.match(dry.output, /^Nothing was done\. These would be the keys:\ntheirs\n/)
    assert.equal(foreign(await command('keys', 'list', '--json')), [])
    const { status, output } = await command('keys', 'import', file, '--foreign')
    assert.is(status, 0)
    assert.match(output, /^theirs\n {2}ES256 \(sig\) of another signer, published since \S+Z, \d+ s ago\n/)
    assert.match((await command('keys', 'list')).output, /theirs\n {2}ES256 \(sig\) of another signer/)
    const published = JSON.parse((await command('keys', 'export', '--public')).output)
    assert.ok(published.keys.some(({ kid }: { readonly kid: string }) => kid === 'theirs'))
    const twice = await command('keys', 'import', file, '--foreign')
    assert.is(twice.status, 1)
    assert.match(twice.errors, /in the key set/)
    const own = join(directory, 'own.json')
    writeFileSync(own, JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'theirs' }] }), {
      mode: 0o600,
    })
    const signing = await command('keys', 'import', own)
    assert.is(signing.status, 1)
    assert.match(signing.errors, /in the key set/)
    writeFileSync(file, JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }))
    assert.match((await command('keys', 'import', file, '--foreign')).errors, /d must be left out/)
    assert.is((await command('keys', 'remove', 'theirs')).output, 'The set holds no key of another signer\n')
    assert.match(
      (await command('keys', 'remove', 'theirs')).errors,
      /^clientele: No key of another signer has this kid; [^\n]*keys compromise\n$/,
    )
  })

  test('a file of foreign keys that cannot be taken is refused with the reason', async ({ command, directory }) => {
    const missing = await command('keys', 'import', join(directory, 'missing.json'), '--foreign')
    assert.is(missing.status, 1)
    assert.match(missing.errors, /missing\.json cannot be read/)
    const file = join(directory, 'text')
    writeFileSync(file, 'text')
    assert.match((await command('keys', 'import', file, '--foreign')).errors, /must hold one JSON object/)
  })

  test('encryption-key rotate with keys of the settings lets the earlier one go', async ({ directory }) => {
    const [earlier, next] = [6, 7].map((byte) => Buffer.alloc(32, byte).toString('base64url'))
    const data = join(directory, 'moved')
    const flags = { ...flagsOf(directory), 'data-dir': data }
    const opened = async (key: string) => started({ ...flags, 'encryption-key': key })
    const first = await opened(String(earlier))
    const theirs = await registered(first)
    await first.stop()
    const both = await opened(`${next},${earlier}`)
    if (way === 'on the store') await both.stop()
    const given = Object.entries({ ...flags, 'encryption-key': `${next},${earlier}` })
    const ran = await run(['encryption-key', 'rotate', ...given.flatMap(([name, value]) => [`--${name}`, value])])
    assert.is(ran.status, 0, ran.errors)
    assert.match(ran.output, /\nSealed anew: [1-9]\d*\nEvery other key may leave encryption-key\. Earlier backups/)
    if (way === 'through the running service') await both.stop()
    const alone = await opened(String(next))
    assert.is(await reads(alone, theirs), 200)
    await alone.stop()
  })

  test.run()
}
