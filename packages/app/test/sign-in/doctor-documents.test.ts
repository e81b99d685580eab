// clientele doctor about clients with a metadata document, beside the service at which an end-user approved one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { launch } from '../support/service.js'
import { type DocumentServer, acceptDocuments, startDocumentServer } from './support/document-server.js'
import { mcpMetadata, signInAt, withSdk1 } from './support/mcp-host.js'
import { type ProtectedServer, startMcpServer } from './support/mcp-server.js'
import { type Provider, engine, startProvider } from './support/provider.js'

type World = { provider: Provider; server: ProtectedServer; documents: DocumentServer; url: string }

const test = suite<World>('doctor, documents')

test.before(async (context) => {
  context.documents = await startDocumentServer()
  context.server = await startMcpServer()
  context.provider = await startProvider({ CLIENTELE_PROFILE: 'mcp', ...acceptDocuments() })
  context.server.trust(context.provider.service.base, async () => undefined)
  context.url = context.documents.publish('/app.json', mcpMetadata)
  const sdk = withSdk1()
  Object.assign(sdk.host, { clientMetadataUrl: context.url })
  await signInAt(context.server.url, sdk, context.provider.endUser())
})
test.after(async ({ provider, server, documents }) => {
  await server.stop()
  await provider.stop()
  await documents.stop()
})

const doctor = async ({ provider: { service } }: World, policy: object, ...argv: ReadonlyArray<string>) => {
  const { exited, output } = launch(['doctor', ...argv], {
    ...engine,
    CLIENTELE_PROFILE: 'mcp',
    CLIENTELE_DATA_DIR: service.dataDir,
    ...acceptDocuments({ ...policy }),
  })
  return { status: await exited, ...output() }
}

test('the stored clients with a document are counted, and those that the policy accepts no more', async (world) => {
  const { status, stdout } = await doctor(world, {})
  assert.is(status, 0, stdout)
  assert.match(stdout, 'ok      documents: Clients with a metadata document: 1\n')
  const { stdout: refused } = await doctor(world, { accept: 'listed' })
  assert.match(refused, `WARNING documents: Clients whose document the registration policy does not accept: 1, for`)
  assert.match(refused, `${world.url}\n        Extend metadata_documents of the policy`)
  // The policy is that of the command, and not of the service.
  assert.match(refused, 'ok      settings: Judged by the settings of this command (environment CLIENTELE_')
  assert.not.match(refused, 'clients delete')
})

test('a document is compared with the approved one, and each finding has its remedy', async (world) => {
  const { documents, url } = world
  const same = await doctor(world, {}, url)
  assert.is(same.status, 0, same.stdout)
  assert.match(same.stdout, `ok      document: ${url} shows a client, and is fresh for 1 seconds\n`)
  assert.match(same.stdout, 'ok      drift: It is as it was approved\n')

  documents.publish('/app.json', { ...mcpMetadata, software_version: '2' })
  assert.match((await doctor(world, {}, url)).stdout, 'ok      drift: It differs from the approved document: cosmetic;')

  const redirect_uris = [...mcpMetadata.redirect_uris, 'https://elsewhere.example/callback']
  documents.publish('/app.json', { ...mcpMetadata, redirect_uris })
  const elsewhere = await doctor(world, {}, url)
  assert.is(elsewhere.status, 0)
  assert.match(elsewhere.stdout, 'WARNING drift: It differs from the approved document: redirect_host; end-users are')

  documents.publish('/app.json', { ...mcpMetadata, client_secret: 'x'.repeat(40) })
  const invalid = await doctor(world, {}, url)
  assert.is(invalid.status, 1)
  assert.match(invalid.stdout, `answers with 200, and shows no client: client_secret must not stand in a document`)
  assert.match(invalid.stdout, `See all faults: clientele explain ${url}\n`)
  assert.match(invalid.stdout, 'FAULT   drift: A document was approved before')

  documents.publish('/app.json', 410)
  const gone = await doctor(world, {}, url)
  assert.match(
    gone.stdout,
    'FAULT   drift: It differs from the approved document: withdrawn; its client is suspended\n',
  )
})

test('a document that nobody approved, that is not reached or not accepted', async (world) => {
  const { documents } = world
  const unapproved = await doctor(world, {}, documents.publish('/new.json', mcpMetadata))
  assert.is(unapproved.status, 0, unapproved.stdout)
  assert.match(unapproved.stdout, 'ok      drift: No client is stored for it: no end-user has consented yet\n')
  const down = await doctor(world, {}, 'https://127.0.0.1:1025/client.json')
  assert.is(down.status, 1)
  assert.match(
    down.stdout,
    /FAULT {3}document: https:\/\/127\.0\.0\.1:1025\/client\.json shows no document from here: /,
  )
  assert.match(down.stdout, 'must be in outbound-allowed-networks\n')
  const denied = await doctor(world, { accept: 'listed' }, documents.urlOf('/new.json'))
  assert.is(denied.status, 1)
  assert.match(denied.stdout, 'FAULT   document: The registration policy does not accept https://127.0.0.1')
  const invalid = await doctor(world, {}, 'https://app.example')
  assert.is(invalid.status, 2)
  assert.match(invalid.stderr, 'see clientele explain https://app.example\n')
})

test('while the service is stopped, the store is read', async (world) => {
  const { documents, provider, url } = world
  documents.publish('/app.json', mcpMetadata)
  await provider.service.stop()
  const { status, stdout } = await doctor(world, {}, url)
  assert.is(status, 0, stdout)
  assert.match(stdout, 'ok      drift: It is as it was approved\n')
  const { stdout: unknown } = await doctor(world, {}, documents.urlOf('/new.json'))
  assert.match(unknown, 'No client is stored for it')
})

test.run()
