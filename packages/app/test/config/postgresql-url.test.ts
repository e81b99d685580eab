import { hostsOf, targets } from '@clientele/adapters-postgresql/hosts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { databaseUrl, databaseUrlText } from '../../src/config/database.js'
import { run } from '../cli/run.js'

const setting = suite('a database-url of PostgreSQL')

const url = 'postgresql://postmaster:SECRET@db.example:5433/clientele'

const required = {
  'encryption-key': 'A'.repeat(43),
  'master-token': 'the-master-token-of-this-test-file',
  'base-url': 'https://id.example.com',
}

const flags = (settings: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`)

setting('is shown by host and database alone, in every form in which it may be given', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const file = join(directory, 'url')
  writeFileSync(file, `${url}\n`)
  const forms: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
    [[`--database-url=${url}`], {}],
    [[`--database-url-file=${file}`], {}],
    [[], { CLIENTELE_DATABASE_URL: url }],
  ]
  for (const [argv, environment] of forms)
    for (const form of [[], ['--json']]) {
      const { status, output } = await run(['config', 'print', ...form, ...flags(required), ...argv], environment)
      assert.is(status, 0)
      assert.match(output, 'postgresql://db.example:5433/clientele')
      assert.not.match(output, /SECRET|postmaster/)
    }
  rmSync(directory, { recursive: true })
})

setting('demands what instances share, and names all that is missing at once', async () => {
  const { status, errors } = await run(['config', 'check', `--database-url=${url}`, '--host=0.0.0.0'])
  assert.is(status, 1)
  assert.equal(
    errors
      .trim()
      .split('\n')
      .map((line) => line.replace(/: .*$/, '')),
    [
      ...['encryption-key', 'master-token', 'base-url'].map(
        (name) => `${name} (default) must be set with a database-url of PostgreSQL`,
      ),
      'login (default) must be set, because engine is oidc-provider and no instance has a data directory for accounts',
    ],
  )
  for (const line of errors.trim().split('\n')) assert.match(line, /: (give every instance|set it to|set login to) .+/)
  assert.is((await run(['config', 'check', ...flags({ 'database-url': url, engine: 'none', ...required })])).status, 0)
})

setting('that names no database, or cannot be read, is refused without its password', async () => {
  const refusals: Readonly<Record<string, string>> = {
    'postgresql:clientele': 'postgresql://USER:PASSWORD@HOST:PORT/DATABASE',
    'postgresql://': 'must be a URL with the name of a database',
    'postgresql:///clientele': 'must be a URL with the name of a host',
    'postgresql://postmaster:SECRET@db': 'with the name of a database',
    'postgresql://postmaster:SECRET@db/': 'with the name of a database',
    'postgresql://postmaster:SECRET@db/a/b': 'with the name of a database',
    'postgres://postmaster:SECRET@db:port/clientele': 'with % before the codes of special characters',
    'postgresql://postmaster:SECRET/x@db/clientele': 'with % before the codes of special characters',
    'postgresql://postmaster:SECRET%@db/clientele': 'with % before the codes of special characters',
    'postgresql://postmaster:SECRET @db/clientele': 'with % before the codes of special characters',
    'postgresql://postmaster:SECRET#@db/clientele': 'must be postgresql://',
    'postgresql://postmaster:SECRET@db/clientele#x': '# is %23',
    'postgresql://db,/clientele': 'with the name of a host',
    'postgresql://postmaster:SECRET@db,/clientele': 'commas between several HOST:PORT',
    'postgresql://postmaster:SECRET@db,other:port/clientele': 'commas between several HOST:PORT',
    'postgresql://postmaster:SECRET@db,other/clientele?target_session_attrs=standby':
      'target_session_attrs read-write, primary, any, or without it, because an instance reads from no standby',
    'postgresql://postmaster:SECRET@db/clientele?target_session_attrs=': 'target_session_attrs read-write',
    'postgresql://postmaster:SECRET@db,other/clientele?load_balance_hosts=random': 'without parameters',
    'postgresql://postmaster:SECRET@db,other/clientele?sslmode=require': 'in place of which database-tls is set',
    'postgresql://postmaster:SECRET@db/clientele?sslmode=require': 'in place of which database-tls is set',
    'postgresql://postmaster:SECRET@db/clientele?sslrootcert=x': 'in place of which database-tls is set',
    'postgresql://postmaster:SECRET@db/clientele?statement_timeout=0': 'without parameters',
    'postgresql://db/clientele?password=SECRET': 'without parameters',
    'postgresql://db/clientele?host=elsewhere': 'without parameters',
  }
  for (const [given, refusal] of Object.entries(refusals)) {
    const { status, output, errors } = await run(['config', 'check', ...flags({ ...required, 'database-url': given })])
    assert.is(status, 1, given)
    assert.match(errors, refusal)
    assert.not.match(output + errors, /SECRET|postmaster/)
  }
})

setting('may have the older scheme, no password, or the directory of a Unix socket', () => {
  const shown = (text: string): string => {
    const read = databaseUrl(text)
    return E.isLeft(read) ? read.left : databaseUrlText(read.right)
  }
  assert.is(shown('postgres://db/clientele'), 'postgresql://db/clientele')
  assert.is(shown('postgresql://postmaster@[::1]:5433/clientele'), 'postgresql://[::1]:5433/clientele')
  assert.is(shown('postgresql:///clientele?host=/run/postgresql'), 'postgresql:///clientele')
  assert.is(shown('postgresql://u:SECRET@a:1,%2Frun,[::1]/db'), 'postgresql://a:1,%2Frun,[::1]/db')
  assert.is(shown('postgresql://u@%2Frun%2Fpostgresql/clientele'), 'postgresql://%2Frun%2Fpostgresql/clientele')
})

const named = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}(\.[a-z][a-z0-9]{0,9})?$/)
const host = fc.oneof(
  named,
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
)
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
const hosts = fc.array(
  fc.tuple(host, port).map(([name, number]) => (number === undefined ? name : `${name}:${number}`)),
  { minLength: 1, maxLength: 5 },
)

setting('any list of hosts is one URL for each, of the same user, password and database', () => {
  fc.assert(
    fc.property(hosts, fc.constantFrom('', ...targets), (given, target) => {
      const after = target === '' ? '' : `?target_session_attrs=${target}`
      const read = databaseUrl(`postgresql://postmaster:a,b%40c@${given.join(',')}/clientele${after}`)
      assert.ok(E.isRight(read) && read.right.scheme === 'postgresql')
      const found = hostsOf(read.right.url)
      assert.is(found.target, target === '' ? (given.length === 1 ? 'any' : 'read-write') : target)
      assert.equal(
        found.urls.map((each) => new URL(each)).map((each) => [each.host, each.username, each.password, each.pathname]),
        given.map((each) => [new URL(`postgresql://${each}`).host, 'postmaster', 'a,b%40c', '/clientele']),
      )
      assert.is(
        databaseUrlText(read.right),
        `postgresql://${found.urls.map((each) => new URL(each).host).join(',')}/clientele`,
      )
    }),
  )
})

setting('any password that is percent-encoded is taken, and is in no text of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 20 }), (password) => {
      const encoded = encodeURIComponent(password)
      const read = databaseUrl(`postgresql://postmaster:${encoded}@db/clientele`)
      assert.ok(E.isRight(read))
      assert.is(databaseUrlText(read.right), 'postgresql://db/clientele')
      assert.ok(read.right.scheme === 'postgresql')
      assert.is(decodeURIComponent(new URL(read.right.url).password), password)
    }),
  )
})

setting.run()
