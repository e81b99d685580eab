// The scenarios of `conformance authorization`, the command of the Model Context Protocol's tool for authorization servers, against
// the service. They are rebuilt, because the tool does not start on Node 20: its version with this command imports `globSync`
// of node:fs, which Node has from 22 on, and it would bring 17 packages that only it needs.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type McpCheck, type McpClient, type McpSubject, mcpChecks } from '../conformance/mcp-checks.js'
import { register, registerOpenly } from '../support/requests.js'
import { type DocumentServer, acceptDocuments, startDocumentServer } from './support/document-server.js'
import type { Answers } from './support/end-user.js'
import { type Checked, type GrantOptions, authorizationCodeGrant, metadataEndpoint } from './support/mcp-conformance.js'
import { mcpCallback, mcpMetadata } from './support/mcp-host.js'
import { type Json, type Provider, startProvider } from './support/provider.js'

type World = { providers: Readonly<Record<McpSubject, Provider>>; documents: DocumentServer }

const test = suite<World>('the conformance tool of the Model Context Protocol')

test.before(async (context) => {
  context.documents = await startDocumentServer()
  const profile = { CLIENTELE_PROFILE: 'mcp' }
  context.providers = {
    profile: await startProvider(profile),
    documents: await startProvider({ ...profile, ...acceptDocuments() }),
  }
})
test.after(async ({ providers, documents }) => {
  await providers.profile.stop()
  await providers.documents.stop()
  await documents.stop()
})

type Credentials = Pick<GrantOptions, 'clientId' | 'clientSecret'>

const credentialsIn = ({ client_id, client_secret }: Json): Credentials => ({
  clientId: String(client_id),
  ...(typeof client_secret === 'string' ? { clientSecret: client_secret } : {}),
})

const clientOf = async ({ documents }: World, { service }: Provider, client: McpClient): Promise<Credentials> => {
  const withSecret = { ...mcpMetadata, token_endpoint_auth_method: 'client_secret_basic' }
  switch (client) {
    case 'none':
      return {}
    case 'public':
      return credentialsIn((await registerOpenly(service, mcpMetadata)).json)
    case 'with a secret':
      return credentialsIn((await register(service, withSecret)).json)
    case 'with a document':
      return { clientId: documents.publish('/conformance.json', mcpMetadata) }
  }
}

const grantOptions = async (
  world: World,
  subject: McpSubject,
  client: McpClient,
  answers: Answers = {},
): Promise<GrantOptions> => {
  const provider = world.providers[subject]
  return {
    issuer: provider.service.base,
    redirectUri: mcpCallback,
    resource: 'http://127.0.0.1:3001/mcp',
    ...(await clientOf(world, provider, client)),
    visit: async (url) => {
      const { end, page } = await provider.endUser().visit(url, answers)
      if (end === undefined) throw new Error(page)
      return end
    },
  }
}

const run = async (
  world: World,
  { scenario, check, subject, client = 'none' }: McpCheck,
): Promise<Checked | undefined> => {
  if (scenario === 'authorization-code-grant') return authorizationCodeGrant(await grantOptions(world, subject, client))
  const checked = await metadataEndpoint(world.providers[subject].service.base)
  return checked.find((each) => each.check === check)
}

for (const expected of mcpChecks) {
  const { scenario, check, subject, client, status, message } = expected
  const about = [subject, ...(client === undefined ? [] : [`client: ${client}`])].join(', ')
  test(`${scenario}: ${check} (${about}): ${status}`, async (world) => {
    assert.equal(await run(world, expected), { check, status, ...(message === undefined ? {} : { message }) })
  })
}

for (const subject of ['profile', 'documents'] as const)
  test(`authorization-code-grant passes with the secret that the tool leaves out (${subject})`, async (world) => {
    const options = await grantOptions(world, subject, 'with a secret')
    assert.is((await authorizationCodeGrant(options, 'client_secret_basic')).status, 'SUCCESS')
  })

test('the checks fail where the service differs: another issuer, and an end-user who denies', async (world) => {
  const { base } = world.providers.profile.service
  const [checked] = await metadataEndpoint(`${base}/`)
  assert.equal([checked?.status, checked?.message], ['FAILURE', `Invalid issuer: ${base}`])
  const denied = await authorizationCodeGrant(await grantOptions(world, 'profile', 'public', { consent: 'deny' }))
  assert.is(denied.status, 'FAILURE')
  assert.match(String(denied.message), 'Authorization error: access_denied')
})

test.run()
