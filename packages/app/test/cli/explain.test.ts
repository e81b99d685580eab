import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, readdirSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launch } from '../support/service.js'
import { type Ran, post, run, started } from './run.js'

const redirect_uris = ['https://rp.example/callback']

const explain = suite<{ directory: string }>('explain')

explain.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})

explain.after.each(({ directory }) => rmSync(directory, { recursive: true }))

const explaining = (directory: string, body: unknown, ...argv: ReadonlyArray<string>): Promise<Ran> => {
  const file = join(directory, 'metadata.json')
  writeFileSync(file, typeof body === 'string' ? body : JSON.stringify(body))
  return run(['explain', '--metadata', file, '--data-dir', join(directory, 'data'), ...argv])
}

explain('what is permitted would be registered, with what registration adds', async ({ directory }) => {
  const { status, output } = await explaining(directory, { redirect_uris }, '--scope', 'client-reg:grant:code')
  assert.is(status, 0)
  assert.match(output, /^Requested\n {2}grant_types: authorization_code\nGranted by the token\n {2}grant_types: auth/)
  assert.match(output, 'Added by registration\n  application_type: "web"\n')
  assert.match(output, /Missing\n {2}nothing\nFaults\n {2}nothing\n/)
  assert.match(output, /\nDecision: would be registered\n$/)
  // A command asks no service: its settings may be others.
  assert.match(
    output,
    /\nJudged by\n {2}the settings of this command \((?:flag --[a-z-]+, )*defaults\); a running service/,
  )
  assert.equal(readdirSync(directory), ['metadata.json'])
})

explain('a registration that would wait for an approval is told as such', async ({ directory }) => {
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, JSON.stringify({ approve: ['anonymous'] }))
  const argv = ['--registration-policy', policy, '--allow-open-registration', 'true'] as const
  const open = await explaining(directory, { redirect_uris }, ...argv)
  assert.is(open.status, 0)
  assert.match(open.output, /\nDecision: would be registered, and wait: This client waits for the approval/)
  const { approval } = JSON.parse((await explaining(directory, { redirect_uris }, ...argv, '--json')).output)
  assert.is(approval.state, 'pending')
  const byToken = await explaining(directory, { redirect_uris }, ...argv, '--scope', 'client-reg')
  assert.match(byToken.output, /\nDecision: would be registered\n$/)
})

explain('what is missing is told with the scope values that give it: 403', async ({ directory }) => {
  const body = { redirect_uris, data: { tenant: 1 }, preferred_client_id: 'mine' }
  const { status, output } = await explaining(directory, body, '--scope', 'client-reg:grant:code')
  assert.is(status, 1)
  assert.match(output, '  given by the scope values: client-reg:data client-reg:set-id\n')
  assert.match(output, '  preferred_client_id: whether another client has it\n')
  assert.match(output, /\nDecision: 403 insufficient_scope: /)
  const needed = 'client-reg:grant:code client-reg:data client-reg:set-id'
  assert.is((await explaining(directory, body, '--scope', needed)).status, 0)
})

explain('the entry about a preferred client_id is said', async ({ directory }) => {
  const file = join(directory, 'policy.json')
  const entry = { client_id: 'mine', access_token_lifetime: 60, refresh_token_lifetime: 600 }
  writeFileSync(file, JSON.stringify({ clients: [entry, { client_id: 'other' }] }))
  const explained = (preferred_client_id: string) =>
    explaining(
      directory,
      { redirect_uris, preferred_client_id },
      '--scope',
      'client-reg',
      '--registration-policy',
      file,
    )
  assert.match(
    (await explained('mine')).output,
    '\nBy /clients/0 of the policy\n  its access tokens live 60 seconds, or less where the service says less\n' +
      '  its refresh tokens live 600 seconds, or less where the service says less\n',
  )
  assert.match((await explained('other')).output, '\nBy /clients/1 of the policy\n  nothing\n')
  assert.not.match((await explained('Mine')).output, 'of the policy\n')
})

explain('every fault is told with its pointer and rule, and unknown members: 400', async ({ directory }) => {
  const body = { redirect_uris: ['http://rp.example/', 'https://rp.example/#'], redirect_uri: '', logo_uri: 5 }
  const { status, output } = await explaining(directory, body, '--scope', 'client-reg')
  assert.is(status, 1)
  for (const pointer of ['/redirect_uris/0', '/redirect_uris/1', '/logo_uri'])
    assert.match(output, new RegExp(`\n  ${pointer} [a-z-]+: [a-z]`))
  assert.match(output, 'did you mean redirect_uris?')
  assert.match(output, /\nDecision: 400 invalid_redirect_uri: /)
})

explain('nobody registers in open registration only, and what it gives adds to a token', async ({ directory }) => {
  const body = { redirect_uris, scope: 'openid' }
  assert.match((await explaining(directory, body)).output, /\nDecision: 401 missing_token: /)
  assert.match((await explaining(directory, body, '--open')).output, /\nDecision: 401 missing_token: /)
  const open = ['--open', '--open-registration-scopes', 'openid']
  assert.is((await explaining(directory, body, ...open)).status, 0)
  assert.is((await explaining(directory, { ...body, data: {} }, ...open, '--scope', 'client-reg:data')).status, 0)
  assert.is((await explaining(directory, { redirect_uris }, '--allow-open-registration')).status, 0)
})

explain('the registration policy counts, and a ceiling is told as such', async ({ directory }) => {
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, JSON.stringify({ required_members: ['client_name'], ceilings: { managed: { data: false } } }))
  const argv = ['--registration-policy', policy, '--scope', 'client-reg']
  const { output } = await explaining(directory, { redirect_uris, data: {} }, ...argv)
  assert.match(output, '  /client_name policy-required: ')
  assert.match(
    output,
    /beyond the ceilings of the registration policy, or for the operator alone, so that no token gives it: data\n/,
  )
  assert.is((await explaining(directory, { redirect_uris, client_name: 'Named' }, ...argv)).status, 0)
})

explain('the sector identifier is not fetched, and that is said', async ({ directory }) => {
  const body = { redirect_uris, sector_identifier_uri: 'https://rp.invalid/sector' }
  const argv = ['--scope', 'client-reg', '--outbound-fetches']
  const { status, output } = await explaining(directory, body, ...argv)
  assert.is(status, 0)
  assert.match(output, 'Not checked\n  sector_identifier_uri: explain never fetches it')
})

explain('what the service does not ask is told as warnings, by the settings', async ({ directory }) => {
  const body = { redirect_uris, backchannel_logout_uri: 'https://10.0.0.5/out' }
  const off = await explaining(directory, body, '--open')
  assert.match(off.output, /\nWarnings\n {2}\/backchannel_logout_uri logout-not-sent: .+outbound-fetches/)
  const on = await explaining(directory, body, '--open', '--outbound-fetches')
  assert.match(on.output, /\nWarnings\n {2}\/backchannel_logout_uri host-not-reached: .+outbound-allowed-networks/)
  const allowing = ['--outbound-fetches', '--outbound-allowed-networks', '10.0.0.0/8', '--json']
  const allowed = await explaining(directory, body, '--open', ...allowing)
  assert.equal(JSON.parse(allowed.output).warnings, [])
})

explain('a software statement is verified with the configured issuers', async ({ directory }) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = join(directory, 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: [await exportJWK(publicKey)] }))
  const statement = new SignJWT({ client_name: 'Stated' }).setProtectedHeader({ alg: 'ES256' })
  const software_statement = await statement.setIssuer('https://issuer.example').sign(privateKey)
  const body = { redirect_uris, software_statement }
  const trusting = ['--software-statement-issuers', `https://issuer.example=${keys}`, '--scope', 'client-reg']
  const trusted = await explaining(directory, body, ...trusting)
  assert.is(trusted.status, 0)
  assert.match(trusted.output, '\n  client_name: "Stated"\n')
  const { output } = await explaining(directory, body, '--scope', 'client-reg')
  assert.match(output, /\nDecision: 400 unapproved_software_statement: /)
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, JSON.stringify({ software_statements: { required: 'always', accept: 'listed' } }))
  const unlisted = await explaining(directory, body, ...trusting, '--registration-policy', policy)
  assert.match(unlisted.output, '\n  /software_id policy-software: software_id is not that of software that')
  const missing = await explaining(directory, { redirect_uris }, '--registration-policy', policy, '--open')
  assert.match(missing.output, '\n  /software_statement policy-statement: software_statement is required')
})

explain('a terminal is shown no control characters, in text and in JSON', async ({ directory }) => {
  const body = { redirect_uris, 'x\u001b[2J\u009b\u202e': 1, 'client_name#\u001b]0;': 'x' }
  for (const argv of [[], ['--json']]) {
    const { output } = await explaining(directory, body, ...argv)
    assert.match(output, '\\u009b\\u202e')
    assert.not.match(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  }
})

explain('--json is the whole explanation, for machines', async ({ directory }) => {
  const { status, output } = await explaining(directory, { redirect_uris, data: {} }, '--json', '--open')
  const { registered, status: answer, refusal, by, missing, needed } = JSON.parse(output)
  assert.equal([status, registered, answer, refusal.error, by], [1, false, 401, 'missing_token', 'nobody'])
  assert.equal([missing.data, needed], [true, ['client-reg:data']])
})

explain('a body that cannot be read is refused as POST /clients refuses it', async ({ directory }) => {
  const argv = ['--scope', 'client-reg']
  for (const body of ['', '{', '[]', '{"a":1,"a":2}'])
    assert.match((await explaining(directory, body, ...argv)).output, /\nDecision: 400 invalid_request: /)
  assert.match((await explaining(directory, ' '.repeat(65_537), ...argv)).errors, '413')
  const { status, errors } = await run(['explain', '--metadata', join(directory, 'none.json')])
  assert.is(status, 1)
  assert.match(errors, 'none.json cannot be read (no such file or directory, ENOENT)')
})

explain('a file that is no JSON is told, also where a credential is missing', async ({ directory }) => {
  const { status, output, errors } = await explaining(directory, '# Clientele\n')
  assert.is(status, 1)
  assert.match(output, 'Decision: 401 missing_token')
  assert.match(errors, /^clientele: \S+\.json: The body is not valid JSON at line 1, column 1: /)
  assert.is((await explaining(directory, { redirect_uris })).errors, '')
})

explain('an unknown scope is wrong usage', async ({ directory }) => {
  const { status, errors } = await explaining(directory, { redirect_uris }, '--scope', 'client-reg:everything')
  assert.is(status, 2)
  assert.match(errors, /^clientele: ".+" is not a scope value.*\n--scope is required: client-reg or /)
})

explain('the service decides as it was explained', async ({ directory }) => {
  const { url, stop, firstRun } = await started({ 'data-dir': join(directory, 'data') })
  const master = readFileSync(String(firstRun.files?.masterToken), 'utf8').trim()
  const bodies = [
    { redirect_uris },
    { redirect_uris, data: {} },
    { redirect_uris: 5 },
    { grant_types: ['password'] },
    7,
  ]
  for (const scope of [undefined, 'client-reg', 'client-reg:grant:code', 'client-reg:grant:password client-reg:data'])
    for (const body of bodies) {
      const issued = scope === undefined ? '{}' : await (await post(`${url}/direct-authz`, master, { scope })).text()
      const { access_token: token = '' } = JSON.parse(issued)
      const answer = await post(`${url}/clients`, token, body)
      await answer.text()
      const argv = scope === undefined ? [] : ['--scope', scope]
      assert.is(JSON.parse((await explaining(directory, body, ...argv, '--json')).output).status, answer.status)
    }
  await stop()
})

explain('- is the standard input', async () => {
  const { child, output, exited } = launch(['explain', '--metadata', '-', '--scope', 'client-reg'], {})
  child.stdin?.end(JSON.stringify({ redirect_uris }))
  assert.is(await exited, 0)
  assert.match(output().stdout, 'Decision: would be registered')
})

explain.run()
