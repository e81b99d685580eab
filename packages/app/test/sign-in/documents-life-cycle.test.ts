// docs/operate/year.md#life-cycle-of-a-client: the table of documents and doors, cell by cell, as the service answers.
import { readExportedClient } from '@clientele/domain/importing'
import {
  type DocumentDoorAnswers,
  type DocumentState,
  answersToDocuments,
  documentStates,
  doors,
} from '@clientele/domain/life-cycle'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { register, send } from '../support/requests.js'
import {
  type DocumentServer,
  acceptDocuments,
  reachDocuments,
  startDocumentServer,
  untilStale,
} from './support/document-server.js'
import type { EndUser } from './support/end-user.js'
import { type Json, type Provider, callback, startProvider } from './support/provider.js'

type World = { provider: Provider; impatient: Provider; careful: Provider; documents: DocumentServer }

const cycle = suite<World>('the life cycle of a document at the doors')

cycle.before(async (context) => {
  context.documents = await startDocumentServer()
  const start = (policy: Json) =>
    startProvider({ CLIENTELE_PROFILE: 'mcp', ...acceptDocuments({ scope: ['openid'], ...policy }) })
  context.provider = await start({})
  context.impatient = await start({ unreachable_for: 1 })
  const careful = { approve: ['documents'], metadata_documents: { accept: 'any', scope: ['openid'] } }
  context.careful = await startProvider({
    CLIENTELE_PROFILE: 'mcp',
    ...reachDocuments,
    CLIENTELE_REGISTRATION_POLICY_JSON: JSON.stringify(careful),
  })
})
cycle.after(async ({ provider, impatient, careful, documents }) => {
  await provider.stop()
  await careful.stop()
  await impatient.stop()
  await documents.stop()
})

const bye = 'https://rp.example/bye'
const metadata = {
  client_name: 'An application',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  post_logout_redirect_uris: [bye],
  token_endpoint_auth_method: 'none',
  scope: 'openid',
}

/** A client by its URL, and the browser of the end-user who has consented to it, if any has. */
type Application = {
  readonly provider: Provider
  readonly path: string
  readonly url: string
  readonly endUser: EndUser
  readonly hint: string | undefined
}

const verifier = 'v'.repeat(43)

const requestOf = ({ provider: { service }, url }: Pick<Application, 'provider' | 'url'>): URL => {
  const request = new URL(`${service.base}/authorize`)
  request.search = new URLSearchParams({
    client_id: url,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return request
}

const redeem = ({ service }: Provider, parameters: Readonly<Record<string, string>>) =>
  send(service, '/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  })

const signedIn = async (application: Omit<Application, 'hint'>): Promise<Application> => {
  const { end, page } = await application.endUser.visit(requestOf(application))
  const code = end?.searchParams.get('code') ?? ''
  assert.ok(code, page)
  const { json, text } = await redeem(application.provider, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    client_id: application.url,
  })
  assert.type(json['id_token'], 'string', text)
  return { ...application, hint: String(json['id_token']) }
}

const asOperator = ({ provider: { service }, url }: Application, more: string, method: 'POST' | 'DELETE') =>
  send(service, `/clients/${encodeURIComponent(url)}${more}`, { method, token: service.master })

const becomes =
  (document: Json | number) =>
  async ({ documents }: World, { path }: Application): Promise<void> => {
    documents.publish(path, document)
    await untilStale()
  }

const reach: Readonly<Record<DocumentState, (world: World, application: Application) => Promise<unknown>>> = {
  new: (_, application) => asOperator(application, '', 'DELETE'),
  approved: becomes({ ...metadata, software_version: '2' }),
  changed: becomes({ ...metadata, client_name: 'Another application' }),
  unreachable: becomes(503),
  lost: async (world, application) => {
    await becomes(503)(world, application)
    await untilStale()
  },
  withdrawn: becomes(410),
  refused: becomes({ ...metadata, client_secret: 's'.repeat(43) }),
  // At the first authorization request.
  pending: (_, application) => application.endUser.visit(requestOf(application)),
  suspended: (_, application) => asOperator(application, '/suspension', 'POST'),
}

type Answered = {
  readonly [At in keyof DocumentDoorAnswers]: (application: Application) => Promise<DocumentDoorAnswers[At]>
}

const answered: Answered = {
  registration: async ({ provider, url }) => {
    const { status, json, text } = await register(provider.service, metadata)
    assert.is(status, 201, text)
    assert.is.not(json['client_id'], url)
    return 'new_client_id'
  },
  configuration: async ({ provider: { service }, url }) => {
    const { json } = await register(service, metadata)
    const path = `/clients/${encodeURIComponent(url)}`
    const tokens = [{}, { token: 'none' }, { token: String(json['registration_access_token']) }]
    for (const method of ['GET', 'PUT', 'DELETE'])
      for (const token of tokens) {
        const body = method === 'PUT' ? { json: metadata } : {}
        assert.is((await send(service, path, { method, ...token, ...body })).status, 401, method)
      }
    return 'unauthorized'
  },
  authorize: async (application) => {
    const { requested, end, status } = await application.endUser.visit(requestOf(application), { consent: 'deny' })
    if (requested.includes('consent')) return 'consent'
    if (end !== undefined) return (assert.ok(end.searchParams.get('code')), 'answered')
    assert.ok([400, 403].includes(status))
    return 'page'
  },
  token: async ({ provider, url }) => {
    const { status, json } = await redeem(provider, {
      grant_type: 'refresh_token',
      refresh_token: 'none',
      client_id: url,
    })
    if (json['error'] === 'invalid_grant') return 'answered'
    if (json['error'] === 'access_denied') return (assert.is(status, 400), 'access_denied')
    assert.equal([status, json['error']], [401, 'invalid_client'])
    return 'invalid_client'
  },
  logout: async ({ provider: { service }, url, hint }) => {
    const query = {
      post_logout_redirect_uri: bye,
      client_id: url,
      ...(hint === undefined ? {} : { id_token_hint: hint }),
    }
    const { text } = await send(service, `/logout?${new URLSearchParams(query).toString()}`)
    return text.includes(new URL(bye).host) ? 'redirect' : 'no_redirect'
  },
}

const begun = (world: World, path: string, provider = world.provider): Omit<Application, 'hint'> => ({
  provider,
  path,
  url: world.documents.publish(path, metadata),
  endUser: provider.endUser(),
})

const expectTable = async (application: Application, state: DocumentState): Promise<void> => {
  const expected = answersToDocuments[state]
  const found: Record<string, string> = {}
  for (const door of doors) found[door] = await answered[door](application)
  assert.equal(found, { ...expected }, state)
}

for (const state of documentStates)
  cycle(`${state}: every door answers as the table says`, async (world) => {
    const provider = { lost: world.impatient, pending: world.careful }[String(state)] ?? world.provider
    const first = begun(world, `/${state}.json`, provider)
    const application = state === 'pending' ? { ...first, hint: undefined } : await signedIn(first)
    await reach[state](world, application)
    await expectTable(application, state)
  })

cycle(
  'a document of a host that no list names is approved by the operator, and then by the end-user',
  async (world) => {
    const { careful } = world
    const { service } = careful
    const first = begun(world, '/unknown-host.json', careful)
    const { page, status } = await first.endUser.visit(requestOf(first))
    assert.equal([status, page.includes('<h1>The application waits for approval</h1>')], [403, true])
    const path = `/manage/v1/clients/${encodeURIComponent(first.url)}`
    const found = await send(service, path, { token: service.master })
    assert.equal([found.json['state'], found.json['origin']], ['pending', 'document'])
    const refusal = { method: 'POST', token: service.master, json: { reason: 'Who are you?' } }
    assert.is((await send(service, `${path}/refusal`, refusal)).status, 200)
    assert.match((await first.endUser.visit(requestOf(first))).page, 'Who are you?')
    assert.is((await send(service, `${path}/approval`, { method: 'POST', token: service.master })).status, 200)
    const { requested } = await first.endUser.visit(requestOf(first), { consent: 'deny' })
    assert.equal(requested, ['login', 'consent'])
    await signedIn(first)
  },
)

cycle('an import leaves out the client of a document that an export has, with the reason', async (world) => {
  const { url, provider } = await signedIn(begun(world, '/exported.json'))
  const { service } = provider
  const { text } = await send(service, '/exported-clients', { token: service.master })
  const exported: ReadonlyArray<Json> = JSON.parse(text)
  const record = exported.find(({ client_id }) => client_id === url)
  const reason = 'described-by-document'
  assert.equal(readExportedClient(record), { kind: 'left_out', client_id: url, reason })
})

cycle(
  'a document to which no end-user has ever consented is answered as one whose client was deleted',
  async (world) => {
    await expectTable({ ...begun(world, '/never.json'), hint: undefined }, 'new')
  },
)

cycle.run()
