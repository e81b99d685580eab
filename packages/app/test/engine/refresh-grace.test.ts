// RFC 9700 §4.14.2 with answers that are lost, and without rotation.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, goThrough } from './support/browser.js'
import { confidential, configured, introspected, refused, signIn } from './support/relying-party.js'
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'

const grace = suite<{ world: World }>('a refresh token in its grace')

grace.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'refresh-token-grace': '60',
  })
})
grace.after(({ world }) => stopTwo(world))

grace('it is good again after a lost answer, until its successor is used', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const { tokens } = await signIn(one, application, new Browser())
  const rotate = (token: string | undefined) => client.refreshTokenGrant(application.config, String(token))
  await rotate(tokens.refresh_token)
  const second = await rotate(tokens.refresh_token)
  const third = await rotate(second.refresh_token)
  assert.is((await introspected(application, third.access_token)).active, true)
  assert.is(await refused(rotate(tokens.refresh_token)), 'invalid_grant')
  assert.is(await refused(rotate(third.refresh_token)), 'invalid_grant')
})

grace.run()

const kept = suite<{ world: World }>('a refresh token without rotation')

kept.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'rotate-refresh-tokens': 'false',
  })
})
kept.after(({ world }) => stopTwo(world))

// RFC 9449 §5: the refresh token of a public client is bound to the key, too.
kept('it stays good where the client authenticates or proves its key; another one is replaced', async ({ world }) => {
  const withoutSecret = {
    ...confidential,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  }
  for (const [metadata, proves, isKept] of [
    [confidential, false, true],
    [withoutSecret, true, true],
    [withoutSecret, false, false],
  ] as const) {
    const { config, request } = await configured(world.one, metadata)
    const { url, checks } = await request()
    const { end } = await goThrough(new Browser(), world.one, url)
    assert.ok(end)
    const options = proves ? { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) } : {}
    const first = await client.authorizationCodeGrant(config, end, checks, undefined, options)
    const refresh = () => client.refreshTokenGrant(config, String(first.refresh_token), undefined, options)
    const second = await refresh()
    assert.is(second.refresh_token === first.refresh_token, isKept)
    if (isKept) assert.is((await refresh()).refresh_token, first.refresh_token)
    else assert.is(await refused(refresh()), 'invalid_grant')
  }
})

kept('one that was rotated before is a replay, which ends what was granted', async () => {
  const openStore = openInMemoryStore(emptyState())
  const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'clientele-')))
  const startOn = (directory: string, rotates: string): Promise<Service> =>
    started(
      {
        'data-dir': directory,
        'master-token': masterToken,
        engine: 'oidc-provider',
        'registration-status': '201',
        'refresh-token-grace': '0',
        'rotate-refresh-tokens': rotates,
      },
      { openStore },
    )
  const rotating = await startOn(directories[0] ?? '', 'true')
  const keeping = await startOn(directories[1] ?? '', 'false')
  try {
    const application = await configured(rotating, confidential)
    const { registered, config } = application
    const { tokens } = await signIn(rotating, application, new Browser())
    const { refresh_token: successor } = await client.refreshTokenGrant(config, String(tokens.refresh_token))
    const refresh = async (token: unknown): Promise<Response> =>
      fetch(`${keeping.url}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${registered.client_id}:${String(registered.client_secret)}`)}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(token) }),
      })
    assert.is((await refresh(successor)).status, 200)
    const replayed = await refresh(tokens.refresh_token)
    assert.equal([replayed.status, ((await replayed.json()) as { error: string }).error], [400, 'invalid_grant'])
    assert.is((await refresh(successor)).status, 400)
  } finally {
    await Promise.all([rotating.stop(), keeping.stop()])
    for (const each of directories) rmSync(each, { recursive: true })
  }
})

kept.run()
