// Clients of the Model Context Protocol under its profile, from the refusal of a protected server to dead tokens.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { newDataDir } from '../support/service.js'
import type { EndUser } from './support/end-user.js'
import { mcpCallback, mcpMetadata, signInAt, withSdk1, withSdk2 } from './support/mcp-host.js'
import { newDirectory, runMcpRemote } from './support/mcp-remote.js'
import { type ProtectedServer, type Verify, startMcpServer } from './support/mcp-server.js'
import { type Provider, type Registered, endRegistration, startProvider } from './support/provider.js'

type World = { readonly provider: Provider; readonly server: ProtectedServer }

const mcp = suite<{ jwt: World; opaque: World }>('clients of the Model Context Protocol')

const byKeySet = ({ service: { base } }: Provider): Verify => {
  const keys = createRemoteJWKSet(new URL(`${base}/jwks.json`))
  return async (token, audience) => {
    const verified = await jwtVerify(token, keys, { issuer: base, audience, typ: 'at+jwt' }).catch(() => undefined)
    return verified?.payload
  }
}

const byIntrospection =
  ({ introspect }: Provider): Verify =>
  async (token, resource) => {
    const { active, ...claims } = await introspect(token)
    return active && claims.aud === resource ? claims : undefined
  }

mcp.before(async (context) => {
  const [one, other] = await Promise.all([startMcpServer(), startMcpServer()])
  const dataDir = newDataDir()
  const policy = join(dataDir, 'resources.json')
  writeFileSync(policy, JSON.stringify([{ resource: one.url.href, scope: [], access_token_format: 'jwt' }]))
  const profile = { CLIENTELE_PROFILE: 'mcp' }
  const jwt = await startProvider({ ...profile, CLIENTELE_RESOURCE_POLICY: policy }, dataDir)
  const opaque = await startProvider(profile)
  one.trust(jwt.service.base, byKeySet(jwt))
  other.trust(opaque.service.base, byIntrospection(opaque))
  context.jwt = { provider: jwt, server: one }
  context.opaque = { provider: opaque, server: other }
})
mcp.after(async ({ jwt, opaque }) => {
  for (const { provider, server } of [jwt, opaque]) {
    await server.stop()
    await provider.stop()
  }
})

/** The registration with its own token, which these clients do not keep. */
const registrationOf = async ({ service }: Provider, clientId: unknown): Promise<Registered> => {
  const client_id = String(clientId)
  const { json } = await send(service, `/clients/${client_id}`, { token: service.master })
  return { ...json, client_id }
}

for (const kind of ['jwt', 'opaque'] as const)
  for (const [name, create] of [
    ['1', withSdk1],
    ['2', withSdk2],
  ] as const)
    mcp(`SDK ${name}, ${kind}: it registers, signs in, calls a tool, refreshes, and ends`, async (context) => {
      const { provider, server } = context[kind]
      const sdk = create()
      const { host, authorize } = sdk
      await signInAt(server.url, sdk, provider.endUser())
      assert.is(host.information?.['client_secret'], undefined)
      const answer = JSON.stringify(await sdk.whoami(server.url))
      const seen = server.seen.at(-1)
      assert.equal([seen?.['aud'], seen?.['client_id']], [server.url.href, host.information?.['client_id']])
      assert.match(answer, `"text":"${String(seen?.['sub'])}"`)

      const first = host.stored
      assert.is(await authorize(server.url), 'AUTHORIZED')
      assert.not.equal(host.stored?.refresh_token, first?.refresh_token)
      host.stored = first
      assert.is(await authorize(server.url), 'AUTHORIZED', 'the answer to its first refresh was lost')

      const { access_token: accessToken, refresh_token: refreshToken } = host.stored ?? {}
      const tokens = kind === 'opaque' ? { accessToken, refreshToken } : { refreshToken }
      await endRegistration(
        provider,
        await registrationOf(provider, host.information?.['client_id']),
        mcpMetadata,
        tokens,
      )
      assert.is(await authorize(server.url), 'REDIRECT')
      assert.is(host.stored, undefined)
    })

for (const [name, create] of [
  ['1', withSdk1],
  ['2', withSdk2],
] as const)
  mcp(`SDK ${name}: when its registration is gone, it registers anew without a human`, async ({ opaque }) => {
    const { provider, server } = opaque
    const sdk = create()
    const { host, authorize } = sdk
    await signInAt(server.url, sdk, provider.endUser())
    const first = host.information
    const { service } = provider
    const path = `/clients/${String(first?.['client_id'])}`
    assert.is((await send(service, path, { method: 'DELETE', token: service.master })).status, 204)
    assert.is(await authorize(server.url), 'REDIRECT')
    assert.is.not(host.information?.['client_id'], first?.['client_id'])
    const { end, page } = await provider.endUser().visit(String(host.sentTo))
    assert.is(await authorize(server.url, end), 'AUTHORIZED', page)
    assert.ok(await provider.isActive(host.stored?.access_token))
  })

mcp('mcp-remote: it registers, signs in and lists tools, and the second time without a page', async ({ opaque }) => {
  const directory = newDirectory()
  const endUserAt = (site: string): EndUser => opaque.provider.endUser(undefined, site)
  const first = await runMcpRemote(opaque.server.url, directory, endUserAt)
  assert.match(first.output, '"whoami"', first.output)
  assert.equal([first.code, first.requested], [0, ['login', 'consent']], first.output)
  const second = await runMcpRemote(opaque.server.url, directory, endUserAt)
  assert.match(second.output, '"whoami"', second.output)
  assert.equal([second.code, second.requested], [0, []], second.output)
  directory.remove()
})

mcp('a page of any origin, as that of an inspector, may use the endpoints', async ({ jwt: { provider } }) => {
  const { base } = provider.service
  const Origin = 'https://inspector.example'
  const preflight = {
    Origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type',
  }
  for (const path of ['clients', 'token', 'revoke']) {
    const { status, headers } = await fetch(`${base}/${path}`, { method: 'OPTIONS', headers: preflight })
    assert.ok(status < 300 && headers.get('access-control-allow-origin'), `${path}: ${status}`)
  }
  const registered = await fetch(`${base}/clients`, {
    method: 'POST',
    headers: { Origin, 'Content-Type': 'application/json' },
    body: JSON.stringify(mcpMetadata),
  })
  assert.ok(registered.headers.has('access-control-allow-origin'))
  const { client_id } = (await registered.json()) as Registered
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'none',
    redirect_uri: mcpCallback,
    code_verifier: 'v'.repeat(43),
    client_id,
  })
  const refused = await fetch(`${base}/token`, { method: 'POST', headers: { Origin }, body })
  assert.is(refused.status, 400)
  assert.ok(refused.headers.has('access-control-allow-origin'), 'the page cannot read why')
})

mcp.run()
