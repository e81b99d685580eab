// clientele explain URL: with a server over TLS on loopback, and with files.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type DocumentServer,
  acceptDocuments,
  reachDocuments,
  startDocumentServer,
} from '../sign-in/support/document-server.js'
import { launch } from '../support/service.js'
import { type Ran, run } from './run.js'

const url = 'https://app.example/client.json'
const app = { client_id: url, client_name: 'App', redirect_uris: ['https://app.example/callback'] }

const test = suite<{ directory: string; documents: DocumentServer }>('explain a document')

test.before(async (context) => {
  context.documents = await startDocumentServer()
})
test.after(({ documents }) => documents.stop())
test.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})
test.after.each(({ directory }) => rmSync(directory, { recursive: true }))

/** A process of its own, because certificates are read at its start. */
const explain = async (
  directory: string,
  environment: Readonly<Record<string, string>>,
  ...argv: ReadonlyArray<string>
): Promise<Ran> => {
  const { exited, output } = launch(['explain', ...argv], {
    CLIENTELE_DATA_DIR: join(directory, 'data'),
    ...environment,
  })
  const status = await exited
  const { stdout, stderr } = output()
  return { status: status ?? -1, output: stdout, errors: stderr }
}

/** The document as a file, with the policy of documents. */
const explainFile = (directory: string, document: unknown, policy: object, ...argv: ReadonlyArray<string>) => {
  const file = join(directory, 'client.json')
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document))
  return run(['explain', url, '--document', file, '--data-dir', join(directory, 'data'), ...argv], {
    CLIENTELE_OUTBOUND_FETCHES: 'true',
    CLIENTELE_REGISTRATION_POLICY_JSON: JSON.stringify({ metadata_documents: policy }),
  })
}

test('what this service does not do with the client of a document is said', async ({ directory }) => {
  const document = { ...app, token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'app.example' }
  const { output } = await explainFile(directory, document, { accept: 'any' })
  assert.match(output, /\nWarnings\n.*token_endpoint_auth_method.*\n/)
  const asJson = await explainFile(directory, document, { accept: 'any' }, '--json')
  assert.is(JSON.parse(asJson.output).client.warnings[0].rule, 'method-not-served')
})

test('one request shows the client, what was chosen and left out, and what each door says', async (world) => {
  const { directory, documents } = world
  const published = documents.publish('/app.json', { ...app, client_id: undefined, client_nam: 'x' })
  documents.publish('/app.json', { ...app, client_id: published, client_nam: 'x' })
  const { status, output, errors } = await explain(directory, acceptDocuments({ greatest_freshness: 60 }), published)
  assert.is(status, 0, output + errors)
  assert.match(output, `URL\n  ${published}\nPolicy\n  accepted: metadata_documents.accept is any\n`)
  assert.match(output, 'Seen\n  status 200, application/json\n  fresh for 1 seconds\nFaults\n  nothing\nClient\n')
  assert.match(output, '\n  client_name: "App"\n')
  assert.match(output, /\nAdjusted\n {2}\/token_endpoint_auth_method document-auth-method-none: /)
  assert.match(output, 'Dropped\n  "client_nam" is unknown: did you mean client_name?')
  assert.match(output, 'Doors\n  authorization request: goes on to sign-in and consent\n')
  assert.match(output, '\n  POST /clients with the same metadata, without a token: 401 missing_token: ')
  assert.match(output, /\nDecision: would be a client\n$/)
  assert.equal(documents.requested, ['/app.json'])
  assert.equal(readdirSync(directory), [])
})

test('the request is sent also while outbound fetches are off, and never beyond the allowed networks', async (world) => {
  const { directory, documents } = world
  const published = documents.publish('/off.json', { redirect_uris: app.redirect_uris })
  const { CLIENTELE_OUTBOUND_ALLOWED_NETWORKS: networks, NODE_EXTRA_CA_CERTS } = reachDocuments
  const trusting = { NODE_EXTRA_CA_CERTS }
  const allowed = await explain(directory, { ...trusting, CLIENTELE_OUTBOUND_ALLOWED_NETWORKS: networks }, published)
  assert.is(allowed.status, 1)
  assert.match(allowed.output, 'Policy\n  not accepted: metadata_documents.accept is none\nSeen\n  status 200, ')
  assert.match(allowed.output, /; with metadata_documents\.accept any, it would be a client\n$/)
  const before = documents.requested.length
  const { status, output } = await explain(directory, trusting, published)
  assert.is(status, 1)
  assert.match(output, /\nSeen\n {2}no answer\n {2}no document: .+\nFaults\n {2}\/client_id document-unreachable: /)
  assert.not.match(output, 'POST /clients')
  assert.is(documents.requested.length, before)
})

test('a document that is gone is told as its server answers, and the page as the end-user reads it', async (world) => {
  const gone = world.documents.publish('/gone.json', 410)
  const { status, output } = await explain(world.directory, acceptDocuments(), gone)
  assert.is(status, 1)
  assert.match(output, '\n  status 410, no media type\n')
  assert.match(output, 'authorization request: refused: there is no document at client_id: ')
})

test('a file is judged as if the URL showed it: all faults at once', async ({ directory }) => {
  const document = { ...app, client_id: 'https://app.example/other.json', client_secret: 'x'.repeat(40), jwks_uri: 5 }
  const { status, output } = await explainFile(directory, document, { accept: 'any' }, '--open')
  assert.is(status, 1)
  for (const fault of ['client_id document-client-id', 'client_secret document-secret', 'jwks_uri string'])
    assert.match(output, `\n  /${fault}`)
  assert.match(output, /without a token: 400 invalid_client_metadata: /)
  assert.not.match(output, 'x'.repeat(40))
  const valid = await explainFile(directory, app, { accept: 'any' }, '--open')
  assert.is(valid.status, 0)
  assert.match(valid.output, 'without a token: would be registered\n')
  const shorter = await explainFile(directory, { ...app, logo_uri: 5, contacts: null }, { accept: 'any' })
  assert.is(shorter.status, 0)
  for (const told of [
    'contacts empty-left-out: contacts was left out',
    'logo_uri document-left-out: logo_uri must be a string',
  ])
    assert.match(shorter.output, `/${told}`)
})

test('the entry about the URL is said, and gives the document its scope values within the ceiling', async ({
  directory,
}) => {
  const file = join(directory, 'client.json')
  writeFileSync(file, JSON.stringify({ ...app, scope: 'openid orders admin' }))
  const explained = (client_id: string, ...argv: ReadonlyArray<string>) =>
    run(['explain', url, '--document', file, '--data-dir', join(directory, 'data'), ...argv], {
      CLIENTELE_OUTBOUND_FETCHES: 'true',
      CLIENTELE_REGISTRATION_POLICY_JSON: JSON.stringify({
        metadata_documents: { accept: 'any', scope: ['openid'] },
        clients: [
          { client_id: 'another' },
          { client_id, scope: ['orders', 'admin'], resources: [], skip_consent: true },
        ],
        ceilings: { open: { scope: ['openid', 'orders'] } },
      }),
    })
  const { status, output } = await explained(url)
  assert.is(status, 0)
  assert.match(
    output,
    '\nBy /clients/1 of the policy\n  it gets no scope values but these: orders\n' +
      '  it gets tokens for no resources but these: none at all\n' +
      '  end-users are not asked for consent, unless something demands it\n',
  )
  assert.match(output, '\n  scope: "orders"\n')
  const { policy_entry, client } = JSON.parse((await explained(url, '--json')).output)
  assert.equal([policy_entry.pointer, policy_entry.scope, client.metadata.scope], ['/clients/1', ['orders'], 'orders'])
  const other = await explained('https://app.example/client.json/other')
  assert.not.match(other.output, 'of the policy')
  assert.match(other.output, '\n  scope: "openid"\n')
})

test('the part of the policy that decides is named, and what the document would be without it', async (world) => {
  const { directory } = world
  const accepted = { accept: 'listed', allowed_hosts: ['other.example', '*.example'] }
  const listed = await explainFile(directory, app, accepted)
  assert.is(listed.status, 0)
  assert.match(listed.output, '\n  accepted: metadata_documents.allowed_hosts has *.example\n')
  const prefix = await explainFile(directory, app, { accept: 'listed', allowed_url_prefixes: ['https://app.example/'] })
  assert.match(prefix.output, 'metadata_documents.allowed_url_prefixes has https://app.example/\n')
  const unlisted = await explainFile(directory, app, { accept: 'listed', allowed_hosts: ['other.example'] })
  assert.is(unlisted.status, 1)
  assert.match(unlisted.output, 'not accepted: metadata_documents.accept is listed, and no list has the URL\n')
  const denied = await explainFile(
    directory,
    { ...app, client_id: 'x' },
    { accept: 'any', denied_hosts: ['app.example'] },
  )
  assert.match(denied.output, 'not accepted: metadata_documents.denied_hosts has app.example\n')
  assert.match(
    denied.output,
    '; if metadata_documents.denied_hosts did not deny it, it would be refused as well: client_id',
  )
})

test('a software statement is verified at both doors', async ({ directory }) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = join(directory, 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: [await exportJWK(publicKey)] }))
  const statement = new SignJWT({ client_name: 'Stated' }).setProtectedHeader({ alg: 'ES256' })
  const software_statement = await statement.setIssuer('https://issuer.example').sign(privateKey)
  const trusting = ['--open', '--software-statement-issuers', `https://issuer.example=${keys}`]
  const trusted = await explainFile(directory, { ...app, software_statement }, { accept: 'any' }, ...trusting)
  assert.is(trusted.status, 0, trusted.output)
  assert.match(trusted.output, '\n  client_name: "Stated"\n')
  assert.match(trusted.output, 'same metadata and software statement, without a token: would be registered')
  const { output } = await explainFile(directory, { ...app, software_statement }, { accept: 'any' }, '--open')
  assert.match(output, '\n  /software_statement software-statement-unapproved: ')
})

test('--json has the same as data', async ({ directory }) => {
  const { status, output } = await explainFile(directory, app, { accept: 'any' }, '--json')
  const { accepted, policy, seen, faults, client, registration } = JSON.parse(output)
  assert.equal([status, accepted, faults], [0, true, []])
  assert.equal(policy, { accepted: true, part: 'accept', entry: 'any' })
  assert.equal(seen, { source: 'file', status: 200, media_type: 'application/json', fresh_for: 300 })
  assert.is(client.metadata.token_endpoint_auth_method, 'none')
  assert.is(registration.refusal.error, 'missing_token')
})

test('a file that is no JSON is told, and a terminal is shown no control characters', async ({ directory }) => {
  const broken = await explainFile(directory, '{', { accept: 'any' })
  assert.is(broken.status, 1)
  assert.match(
    broken.output,
    /\n {2}no document: The body is not valid JSON at line 1, column 2: .+\nFaults\n {2}\/client_id document-json: /,
  )
  for (const argv of [[], ['--json']]) {
    const { output } = await explainFile(directory, { ...app, 'x\u001b[2J\u009b\u202e': 1 }, { accept: 'any' }, ...argv)
    assert.match(output, '\\u009b\\u202e')
    assert.not.match(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  }
})

test('a URL that no client can have is told without a request', async () => {
  const { status, output } = await run(['explain', 'https://APP.example'])
  assert.is(status, 1)
  assert.match(output, /\n {2}\/client_id client-id-url-path: .+\n {2}\/client_id client-id-url-spelling: /)
  assert.match(output, /\nDecision: would be refused: client_id must have a path after its host/)
})

test('options that contradict each other are wrong usage', async () => {
  for (const [argv, text] of [
    [['app'], 'app is not the URL of a document'],
    [[], 'give --metadata FILE, or the URL of a document'],
    [['--document', 'x'], '--document needs the URL'],
    [[url, '--metadata', 'x'], '--metadata and --scope are for registrations'],
  ] as const) {
    const { status, errors } = await run(['explain', ...argv])
    assert.is(status, 2, errors)
    assert.match(errors, text)
  }
})

test.run()
