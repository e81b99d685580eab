import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ran, post, run, started } from './run.js'

const policyCheck = suite<{ directory: string }>('policy check')

policyCheck.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})

policyCheck.after.each(({ directory }) => rmSync(directory, { recursive: true }))

const data = (directory: string) => ({ 'data-dir': join(directory, 'data') })

const checking = (directory: string, policy: unknown, ...argv: ReadonlyArray<string>): Promise<Ran> => {
  const file = join(directory, 'policy.json')
  writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy))
  return run(['policy', 'check', file, '--data-dir', data(directory)['data-dir'], ...argv])
}

const registered = async (url: string, token: string, json: object): Promise<string> => {
  const answer: unknown = await (await post(`${url}/clients`, token, json)).json()
  return String(Object(answer).client_id)
}

type Fixture = { readonly good: string; readonly bad: string; readonly stop: () => Promise<void> }

/** One client of the operator, and one of open registration on another host. */
const withClients = async (directory: string, flags: Readonly<Record<string, string>> = {}): Promise<Fixture> => {
  const { url, stop } = await started({ ...data(directory), 'allow-open-registration': 'true', ...flags })
  const master = readFileSync(join(data(directory)['data-dir'], 'master-token'), 'utf8').trim()
  const good = await registered(url, master, {
    redirect_uris: ['https://rp.example/callback'],
    client_name: 'Good \\ "[{,\u00e9\u4e2d',
    data: {},
  })
  const bad = await registered(url, '', {
    redirect_uris: ['https://other.example/'],
    grant_types: ['implicit'],
    response_types: ['token'],
  })
  return { good, bad, stop }
}

const strict = {
  allowed_redirect_hosts: ['rp.example'],
  required_members: ['client_name'],
  ceilings: { open: { grant_types: ['authorization_code'] } },
}

policyCheck(
  'on the store: every client that would be refused, its faults and what lies beyond its ceiling',
  async ({ directory }) => {
    const { bad, good, stop } = await withClients(directory)
    await stop()
    const { status, output, errors } = await checking(directory, strict)
    assert.is(errors, '')
    assert.is(status, 1)
    assert.is(
      output,
      '1 of 2 clients would be refused.\n' +
        ['policy-redirect-host', 'policy-required', 'ceiling']
          .map((rule) => `  ${rule}: 1, for example ${bad}\n`)
          .join('') +
        `${bad}\n  /redirect_uris/0 policy-redirect-host\n  /client_name policy-required\n` +
        '  beyond the ceilings: grant_types: implicit\n',
    )
    assert.not.match(output, good)
  },
)

policyCheck('through the running service: the same, by the mode of the service', async ({ directory }) => {
  const { stop } = await withClients(directory)
  const running = await checking(directory, strict, '--allow-open-registration', 'false')
  await stop()
  const stopped = await checking(directory, strict)
  assert.is(running.status, 1)
  assert.equal(running, stopped)
})

policyCheck(
  'a ceiling for managed alone limits clients with a token, and a client of MASTER is under none',
  async ({ directory }) => {
    const { url, stop } = await started(data(directory))
    const master = readFileSync(join(data(directory)['data-dir'], 'master-token'), 'utf8').trim()
    const issued: unknown = await (await post(`${url}/direct-authz`, master, { scope: 'client-reg' })).json()
    const wanted = { redirect_uris: ['https://rp.example/'], grant_types: ['authorization_code', 'password'], data: {} }
    const byToken = await registered(url, String(Object(issued).access_token), wanted)
    await registered(url, master, wanted)
    const ceilings = { managed: { grant_types: ['authorization_code'], scope: [], data: false } }
    const running = await checking(directory, { ceilings })
    await stop()
    const stopped = await checking(directory, { ceilings })
    assert.equal(running, stopped)
    assert.is(
      stopped.output,
      `1 of 2 clients would be refused.\n  ceiling: 1, for example ${byToken}\n` +
        `${byToken}\n  beyond the ceilings: grant_types: password; data\n`,
    )
  },
)

policyCheck(
  'a stored client that cannot be read is told and judged by nobody, running or not',
  async ({ directory }) => {
    const { good, stop } = await withClients(directory)
    await stop()
    const db = new Database(join(data(directory)['data-dir'], 'clientele.db'))
    db.prepare("UPDATE clients SET metadata = '{' WHERE client_id = ?").run(good)
    db.close()
    const { stop: end } = await started({ ...data(directory), 'allow-open-registration': 'true' })
    const running = await checking(directory, {})
    await end()
    assert.is(running.output, '0 of 1 clients would be refused.\n1 more cannot be read and were not judged.\n')
    assert.equal(await checking(directory, {}), running)
  },
)

policyCheck('with a management port and a path, too; a client_name is quoted', async ({ directory }) => {
  const flags = { 'management-port': '0', 'base-url': 'https://id.example/oauth' }
  const { good, stop } = await withClients(directory, flags)
  const { output } = await checking(directory, { allowed_redirect_hosts: ['other.example'] })
  await stop()
  assert.match(output, `${good} "Good \\\\ \\"[{,\u00e9\u4e2d"\n  /redirect_uris/0 policy-redirect-host\n`)
})

policyCheck('a private-use scheme that the policy leaves out is told', async ({ directory }) => {
  const { url, stop } = await started({ ...data(directory), 'allow-open-registration': 'true' })
  const uris = { application_type: 'native', redirect_uris: ['cursor://cb', 'com.example.app://cb'] }
  const client = await registered(url, '', uris)
  await stop()
  const reported = await checking(directory, { allowed_private_use_schemes: ['vscode'] })
  assert.match(reported.output, '1 of 1 clients would be refused.\n  redirect-uri-private-use: 1, ')
  assert.match(reported.output, `${client}\n  /redirect_uris/0 redirect-uri-private-use\n`)
  assert.is((await checking(directory, { allowed_private_use_schemes: ['cursor'] })).status, 0)
})

policyCheck('exits 0 when nobody would be refused, running or not', async ({ directory }) => {
  const { stop } = await withClients(directory)
  const running = await checking(directory, { maximum_clients: 2 })
  await stop()
  const stopped = await checking(directory, { maximum_clients: 2 })
  assert.equal([running.status, stopped.status], [0, 0])
  assert.is(
    stopped.output,
    '0 of 2 clients would be refused.\nNo further client would be registered: maximum_clients is 2.\n',
  )
})

policyCheck('--json is for machines', async ({ directory }) => {
  const { bad, stop } = await withClients(directory)
  const running = JSON.parse((await checking(directory, strict, '--json')).output)
  await stop()
  const { non_compliant, rules, ...counts } = JSON.parse((await checking(directory, strict, '--json')).output)
  assert.equal(counts, { valid: true, clients: 2, would_be_refused: 1, unreadable: 0, entries_without_client: [] })
  assert.equal(
    [non_compliant.length, non_compliant[0].client_id, non_compliant[0].exceeding.grant_types],
    [1, bad, ['implicit']],
  )
  assert.equal(running.non_compliant, non_compliant)
  assert.equal(rules.at(-1), { rule: 'ceiling', clients: 1, examples: [bad] })
  assert.equal(JSON.parse((await checking(directory, {}, '--json')).output).non_compliant, [])
})

policyCheck('--limit bounds the list, and not the summary', async ({ directory }) => {
  const { url, stop } = await started({ ...data(directory), 'allow-open-registration': 'true' })
  for (const host of ['a', 'b', 'c', 'd']) await registered(url, '', { redirect_uris: [`https://${host}.example/`] })
  const policy = { allowed_redirect_hosts: ['rp.example'] }
  const { output } = await checking(directory, policy, '--limit', '1')
  const none = await checking(directory, policy, '--limit', '0', '--json')
  const wrong = await checking(directory, policy, '--limit', 'many')
  await stop()
  assert.match(output, /^4 of 4 clients would be refused\.\n {2}policy-redirect-host: 4, for example \S+ \S+ \S+\n/)
  assert.match(output, /\n\S+\n {2}\/redirect_uris\/0 policy-redirect-host\n3 more are not listed: see --limit\.\n$/)
  assert.equal(JSON.parse(none.output).non_compliant, [])
  assert.is(JSON.parse(none.output).would_be_refused, 4)
  assert.equal([wrong.status, wrong.output], [2, ''])
})

policyCheck('everything that is wrong with the file is told, without looking at a client', async ({ directory }) => {
  const policy = { required_members: ['client_nam'], maximum_clients: -1, 'a\u001b': 1 }
  const { status, errors } = await checking(directory, policy)
  assert.is(status, 1)
  assert.match(errors, /policy\.json: \/required_members\/0 must be the name of a member/)
  assert.match(errors, 'policy.json: /maximum_clients must be a whole number')
  assert.match(errors, 'policy.json: /a\\u001b is unknown')
  const json = await checking(directory, policy, '--json')
  assert.is(json.status, 1)
  assert.is(JSON.parse(json.output).valid, false)
  assert.is(JSON.parse(json.output).faults.length, 3)
  assert.match(
    (await checking(directory, '{\n  "ceilings"')).errors,
    'policy.json: is not valid JSON at line 2, column 13: a colon is expected, and the text ends',
  )
})

policyCheck(
  'clients beyond their entry are named, and entries without a client are a warning',
  async ({ directory }) => {
    const { good, bad, stop } = await withClients(directory)
    await stop()
    const elsewhere = 'https://app.example/client.json'
    const clients = [
      { client_id: good, scope: [] },
      { client_id: 'nobody' },
      { client_id: elsewhere },
      { client_id: bad, skip_consent: true },
    ]
    const { status, output, errors } = await checking(directory, { clients })
    assert.equal([status, errors], [0, ''])
    assert.is(
      output,
      '0 of 2 clients would be refused.\n' +
        'Warning: no client has the client_id nobody of an entry in clients: correct it, or write the complete URL of a document.\n' +
        `Warning: no client has the client_id ${elsewhere} of an entry in clients: an end-user consents to its document first.\n`,
    )
    const asJson = await checking(directory, { clients }, '--json')
    assert.equal(JSON.parse(asJson.output).entries_without_client, ['nobody', elsewhere])
  },
)

policyCheck('a client that has more than its entry gives is refused by it, running or not', async ({ directory }) => {
  const { url, stop } = await started(data(directory))
  const master = readFileSync(join(data(directory)['data-dir'], 'master-token'), 'utf8').trim()
  const redirect_uris = ['https://rp.example/']
  const more = await registered(url, master, { redirect_uris, scope: 'openid orders mail' })
  await registered(url, master, { redirect_uris, scope: 'openid orders mail' })
  const policy = { clients: [{ client_id: more, scope: ['openid'] }] }
  const running = await checking(directory, policy)
  await stop()
  assert.equal(await checking(directory, policy), running)
  assert.is(running.status, 1)
  assert.is(
    running.output,
    `1 of 2 clients would be refused.\n  entry: 1, for example ${more}\n` +
      `${more}\n  beyond its entry in clients: scope: mail orders\n`,
  )
})

policyCheck('without data it says what was not judged', async ({ directory }) => {
  const none = await checking(directory, {})
  assert.is(none.status, 1)
  assert.match(none.errors, /the policy is valid, but not every client was judged: .*clientele\.db does not exist/)
})

policyCheck.run()
