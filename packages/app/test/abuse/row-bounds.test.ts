// The rows that a party without a credential can make: docs/operate/security.md#abuse.
import { auditActions } from '@clientele/domain/audit'
import { budgetKinds } from '@clientele/domain/kernel'
import { artefactKinds } from '@clientele/domain/provider'
import Database from 'better-sqlite3'
import * as t from 'io-ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { callback } from '../engine/support/relying-party.js'
import { post } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'
import { type Registered, attempts, registeredBy, sending, statusesOf, withService } from './support.js'

const bounds = suite('rows of anonymous parties')

const root = fileURLToPath(new URL('../../../../', import.meta.url))

type Row = {
  readonly tables: ReadonlyArray<string>
  /** Of a table whose rows have kinds, those of this line; none for a table without kinds. */
  readonly kinds: ReadonlyArray<string>
  readonly rows: string
  readonly proofs: ReadonlyArray<string>
}

const inBackticks = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const rows: ReadonlyArray<Row> =
  readFileSync(join(root, 'docs/operate/security.md'), 'utf8')
    .split('## Rows that an anonymous party can make')[1]
    ?.split(/\n#{2,3} /)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, tables = '', kinds = '', made = '', , proofs = '']) => ({
      tables: inBackticks(tables),
      kinds: inBackticks(kinds),
      rows: made,
      proofs: inBackticks(proofs),
    })) ?? []

/** `TABLE` or `TABLE KIND`, as the document has them. */
const named = rows.flatMap(({ tables, kinds }) =>
  tables.flatMap((table) => (kinds.length === 0 ? [table] : kinds.map((kind) => `${table} ${kind}`))),
)

const withDatabase = <Result>(directory: string, read: (db: Database.Database) => Result): Result => {
  const db = new Database(join(directory, 'clientele.db'), { readonly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const tablesOf = (db: Database.Database): ReadonlyArray<string> =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all()
    .map(String)

/** The tables of PostgreSQL by the text of its schema: some machines have no server. */
const tablesOfPostgresql = (): ReadonlyArray<string> => {
  const files = [
    'adapters-sql/src/schema.ts',
    'adapters-postgresql/src/schema.ts',
    'adapters-postgresql/src/migrate.ts',
  ]
  const texts = files.map((file) => readFileSync(join(root, 'packages', file), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name))
}

/** Of the tables whose rows have kinds: all kinds, and what the kind of a row is. */
const kindsOf: Readonly<Record<string, { readonly all: ReadonlyArray<string>; readonly column: string }>> = {
  artefacts: { all: artefactKinds, column: 'kind' },
  audit_rows: { all: Object.keys(auditActions), column: `json_extract(entry, '$.action')` },
  budgets: { all: budgetKinds, column: 'kind' },
}

bounds('the document names each table of both stores and each kind of their rows, and none that is not there', () =>
  withService({}, async (_, directory) => {
    const tables = new Set([...withDatabase(directory, tablesOf), ...tablesOfPostgresql()])
    const all = [...tables].flatMap((table) => kindsOf[table]?.all.map((kind) => `${table} ${kind}`) ?? [table])
    assert.equal([...new Set(named)].sort(), all.sort())
    await Promise.resolve()
  }),
)

bounds('the proofs of the document are there', () => {
  for (const { proofs, tables } of rows) {
    assert.ok(proofs.length > 0, tables.join())
    for (const file of proofs) assert.ok(existsSync(join(root, file)), file)
  }
})

/** By `TABLE` or `TABLE KIND`. */
type Counts = ReadonlyMap<string, number>

const Counted = t.array(t.type({ kind: t.string, count: t.number }))

const counted = (directory: string): Counts =>
  withDatabase(
    directory,
    (db) =>
      new Map(
        tablesOf(db).flatMap((table): ReadonlyArray<readonly [string, number]> => {
          const column = kindsOf[table]?.column
          if (column === undefined) return [[table, Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())]]
          const found: unknown = db
            .prepare(`SELECT ${column} AS kind, count(*) AS count FROM ${table} GROUP BY 1`)
            .all()
          assert.ok(Counted.is(found), table)
          return Counted.is(found) ? found.map(({ kind, count }) => [`${table} ${kind}`, count] as const) : []
        }),
      ),
  )

const made = (before: Counts, after: Counts): Counts =>
  new Map(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )

const registrations = 12
const authorizations = 9

const strict = {
  engine: 'oidc-provider',
  login: 'development',
  'registration-status': '201',
  'allow-open-registration': 'true',
  'maximum-failed-credentials': '6/6',
  'maximum-open-registrations': `${registrations}/${registrations}`,
  'maximum-logout-pages': '8/8',
  'maximum-authorization-requests': `${authorizations}/${authorizations}`,
}

/** Its own changes, each with the token of the one before. */
const updating = (
  { url }: Service,
  { client_id, registration_access_token, token_endpoint_auth_method }: Registered,
) => {
  const state = { token: registration_access_token }
  const send = (method: string, body: object): Promise<Response> =>
    fetch(`${url}/clients/${client_id}`, {
      method,
      headers: { Authorization: `Bearer ${state.token}`, 'Content-Type': 'application/json' },
      ...(method === 'PUT' ? { body: JSON.stringify(body) } : {}),
    })
  return async (index: number): Promise<Response> => {
    const metadata = { client_id, redirect_uris: [callback], token_endpoint_auth_method, client_name: `Name ${index}` }
    const answer = await send('PUT', metadata)
    if (answer.status === 200) state.token = ((await answer.clone().json()) as Registered).registration_access_token
    return answer
  }
}

const pushed = {
  redirect_uri: callback,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'x'.repeat(20_000),
}

const grantOf = (name: 'code' | 'refresh_token'): Readonly<Record<string, string>> =>
  name === 'code'
    ? { grant_type: 'authorization_code', code: 'junk', redirect_uri: callback, code_verifier: 'v'.repeat(43) }
    : { grant_type: 'refresh_token', refresh_token: 'junk' }

const withProof = async (
  { form, proof }: Awaited<ReturnType<typeof sending>>,
  path: string,
  more: Readonly<Record<string, string>>,
): Promise<Response> => form(path, more, { proof: await proof(path) })

/** Each door of the service, as a party without a credential but those that anyone can register for. */
const doorsOf = async (service: Service): Promise<Readonly<Record<string, (index: number) => Promise<Response>>>> => {
  const { url } = service
  const authMethods = ['none', 'client_secret_post', 'client_secret_jwt']
  const [open, secret, byJwt] = await Promise.all(
    authMethods.map((token_endpoint_auth_method) => registeredBy(service, '', { token_endpoint_auth_method })),
  )
  assert.ok(open && secret && byJwt)
  const asOpen = await sending(service, open)
  const asSecret = await sending(service, secret)
  const asJwt = await sending(service, byJwt)
  const query = new URLSearchParams({
    client_id: secret.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
  })
  const form = (path: string, body: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(body) })
  return {
    // Before others have used up the budgets.
    'its own update': updating(service, open),
    'pushed request with an assertion and a proof': () =>
      withProof(asJwt, '/par', { ...pushed, client_id: byJwt.client_id }),
    'pushed request with a secret': () => asSecret.form('/par', pushed),
    registration: (index) => post(`${url}/clients`, '', { redirect_uris: [`https://rp${index}.example/cb`] }),
    'the same registration': () =>
      post(`${url}/clients`, '', { redirect_uris: [callback], token_endpoint_auth_method: 'none' }),
    'registration with a wrong token': (index) => post(`${url}/clients`, `no-such-token-${index}`, {}),
    'direct authorization': (index) => post(`${url}/direct-authz`, `no-such-token-${index}`, { scope: 'client-reg' }),
    'its own reading': () =>
      fetch(`${url}/clients/${secret.client_id}`, {
        headers: { Authorization: `Bearer ${secret.registration_access_token}` },
      }),
    authorization: () => fetch(`${url}/authorize?${query.toString()}`, { redirect: 'manual' }),
    'authorization of no client': () => fetch(`${url}/authorize?client_id=none`),
    'junk code with an assertion': () => asJwt.form('/token', grantOf('code')),
    'junk code with a proof': () => withProof(asOpen, '/token', grantOf('code')),
    'junk code with both': () => withProof(asJwt, '/token', grantOf('code')),
    'junk refresh token with both': () => withProof(asJwt, '/token', grantOf('refresh_token')),
    'another grant with an assertion': () => asJwt.form('/token', { grant_type: 'client_credentials' }),
    'no grant with an assertion': () => asJwt.form('/token', { grant_type: 'any' }),
    'introspection with an assertion': () => asJwt.form('/introspect', { token: 'junk' }),
    'revocation with an assertion': () => asJwt.form('/revoke', { token: 'junk' }),
    'pushed request': () => asOpen.form('/par', pushed),
    'pushed request with a proof': () => withProof(asOpen, '/par', pushed),
    userinfo: () => fetch(`${url}/userinfo`, { headers: { Authorization: 'DPoP junk' } }),
    logout: () => fetch(`${url}/logout`),
    'answered logout': () => form('/logout/confirm', { answer: 'logout' }),
    login: () => form('/interaction/none/login', { attempt: '1' }),
    'token request of nobody': () => form('/token', { grant_type: 'any' }),
  }
}

/** What comes back to a budget of a minute, beside what there is at once. */
const sharing = (units: number, seconds: number): number => units + Math.ceil((units * seconds) / 60)

bounds('a flood at each door makes rows of the named kinds alone, within their bounds, and known clients go on', () =>
  withService(strict, async (service, directory) => {
    const known = await registeredBy(service, masterToken, {
      token_endpoint_auth_method: 'client_secret_jwt',
      grant_types: ['authorization_code', 'client_credentials'],
    })
    const before = counted(directory)
    const began = performance.now()
    const doors = await doorsOf(service)
    const statuses = new Map<string, Readonly<Record<string, number>>>()
    for (const [name, request] of Object.entries(doors)) statuses.set(name, statusesOf(await attempts(20, request)))
    const flooded = counted(directory)
    for (const request of Object.values(doors)) await attempts(5, request)
    const after = counted(directory)
    const seconds = (performance.now() - began) / 1000

    const units = sharing(authorizations, seconds)
    const sum = (counts: Counts, names: RegExp): number =>
      [...counts].filter(([name]) => names.test(name)).reduce((all, [, count]) => all + count, 0)
    const most: Readonly<Record<string, number>> = {
      'artefacts interaction': units,
      'artefacts pushed_authorization_request': units,
      // An assertion and a proof for each pushed request.
      'artefacts replay': 2 * units,
      clients: registrations,
      'audit_rows client_registered': registrations,
      'audit_rows client_repeated': registrations,
      'audit_rows client_updated': registrations,
      // One source, its network and the row of all.
      'budgets credentials': 3,
      'budgets registrations': 3,
      'budgets logout_pages': 3,
      'budgets authorizations': 3,
      // These are written some seconds later.
      audit_checkpoints: 9,
      observed_days: 1,
      audit_index: sum(after, /^audit_rows/),
      client_texts: registrations,
      search_blocks: registrations,
      search_blocks_docsize: registrations,
      search_blocks_data: registrations,
      search_blocks_idx: registrations,
      // Of the known client, and of those that are registered.
      client_secret_uses: registrations + 2,
      refusals: 1_000,
      refusal_counts: 200,
    }
    const grown = made(before, after)
    for (const [name, count] of grown) {
      assert.ok(count <= (most[name] ?? 0), `${name}: ${count} in ${seconds} s; ${JSON.stringify([...statuses])}`)
      const line = rows.find(({ tables, kinds }) =>
        tables.some((table) => [table, ...kinds.map((kind) => `${table} ${kind}`)].includes(name)),
      )
      assert.not.match(line?.rows ?? 'none', /^none/, name)
    }
    assert.is(sum(grown, /^audit_rows/), registrations, 'registrations and their changes share a budget')
    assert.ok(sum(grown, /^artefacts (?!replay)/) <= units)
    // Only what comes back within a minute is more.
    for (const [name, count] of made(flooded, after))
      if (name.startsWith('audit_rows') || name === 'clients') assert.unreachable(`${name} grew by ${count}`)
    // Each door was reached, and said no.
    for (const name of [
      'its own update',
      'pushed request with a secret',
      'pushed request with an assertion and a proof',
    ])
      assert.ok((statuses.get(name)?.[429] ?? 0) > 0, `${name}: ${JSON.stringify(statuses.get(name))}`)
    for (const name of ['junk code with both', 'junk refresh token with both'])
      assert.equal(statuses.get(name), { 400: 20 })
    for (const name of ['introspection with an assertion', 'revocation with an assertion'])
      assert.equal(statuses.get(name), { 200: 20 })

    const asKnown = await sending(service, known)
    const meanwhile: ReadonlyArray<readonly [number, (index: number) => Promise<Response>]> = [
      [200, () => asKnown.form('/token', { grant_type: 'client_credentials' })],
      [200, () => withProof(asKnown, '/token', { grant_type: 'client_credentials' })],
      [200, () => asKnown.form('/introspect', { token: 'junk' })],
      [201, () => withProof(asKnown, '/par', { ...pushed, client_id: known.client_id })],
      [200, updating(service, known)],
    ]
    for (const [status, attempt] of meanwhile) assert.equal(statusesOf(await attempts(15, attempt)), { [status]: 15 })
  }),
)

bounds.run()
