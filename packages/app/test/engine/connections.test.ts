// Connections over the wire: what an end-user granted is listed, revoked at one instance and refused at the other, and granted
// again. docs/operate/operators.md#connections.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import type { Subject } from '@clientele/domain/logout'
import type { StoreOpener } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as client from 'openid-client'
import { rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, run, started } from '../cli/run.js'
import { type World, done, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, consented, endUser, goThrough } from './support/browser.js'
import { type Application, confidential, configured, introspected, refused, signIn } from './support/relying-party.js'

type Members = Readonly<Record<string, unknown>>

const path = '/manage/v1/connections'

const ask = async (
  { url }: Service,
  method: string,
  target: string,
  { token = masterToken, json }: { readonly token?: string; readonly json?: object } = {},
) => {
  const answer = await fetch(`${url}${target}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  const members: Members = text === '' ? {} : Object.fromEntries(Object.entries(JSON.parse(text)))
  return { status: answer.status, members }
}

const listed = async (service: Service, query = ''): Promise<ReadonlyArray<Members>> => {
  const { status, members } = await ask(service, 'GET', `${path}${query}`)
  assert.is(status, 200, JSON.stringify(members))
  return members['connections'] as ReadonlyArray<Members>
}

const ofClient = ({ registered }: Application): string => `?client_id=${registered.client_id}`

const one = async (service: Service, query: string): Promise<Members> => {
  const found = await listed(service, query)
  assert.is(found.length, 1, JSON.stringify(found))
  return found[0] ?? {}
}

const today = (): number => Math.floor(Date.now() / 86_400_000) * 86_400

const as = (sub: string) => ({ login: endUser(sub), consent: consented })

const userinfo = async ({ url }: Service, token: string): Promise<number> =>
  (await fetch(`${url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } })).status

const connections = suite<{ world: World }>('connections')

connections.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'first-party-clients': 'portal',
  })
})
connections.after(({ world }) => stopTwo(world))

connections('one is listed, revoked, refused at every door of both instances, and granted again', async ({ world }) => {
  const application = await configured(world.one, { ...confidential, client_name: 'Mail' })
  const other = await configured(world.one, { ...confidential, client_name: 'Calendar' })
  const browser = new Browser()
  const { tokens } = await signIn(world.one, application, browser)
  const ofOther = await signIn(world.one, other, browser)
  const ofAnn = await signIn(world.one, application, new Browser(), {}, as('ann'))
  const connection = await one(world.other, `${ofClient(application)}&sub=zoe`)
  const { id, since, ...members } = connection
  assert.type(since, 'number')
  assert.equal(members, {
    state: 'live',
    client_id: application.registered.client_id,
    client_name: 'Mail',
    sub: 'zoe',
    scopes: ['openid', 'email'],
    resources: {},
    last_use: today(),
    access_tokens: 1,
    refresh_tokens: 1,
  })
  assert.equal((await ask(world.one, 'GET', `${path}/${String(id)}`)).members, connection)

  assert.is((await ask(world.one, 'DELETE', `${path}/${String(id)}`)).status, 204)
  for (const token of [tokens.access_token, tokens.refresh_token])
    assert.is((await introspected(application, String(token))).active, false)
  for (const service of [world.one, world.other]) assert.is(await userinfo(service, tokens.access_token), 401)
  const refresh = client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  assert.is(await refused(refresh), 'invalid_grant')
  for (const { tokens: left } of [ofOther, ofAnn]) assert.is(await userinfo(world.other, left.access_token), 200)
  const [revoked] = await listed(world.other, `${ofClient(application)}&state=revoked`)
  assert.is(revoked?.['id'], id)
  assert.equal((revoked?.['revoked_by'] as Members)['kind'], 'master')
  assert.equal([revoked?.['access_tokens'], revoked?.['refresh_tokens'], revoked?.['state']], [0, 0, 'revoked'])
  assert.is((await ask(world.other, 'DELETE', `${path}/${String(id)}`)).status, 204, 'it was revoked before')

  const again = await signIn(world.one, application, browser)
  assert.equal(again.prompts, ['consent'], 'the session of the end-user has not ended')
  const next = await one(world.one, `${ofClient(application)}&sub=zoe`)
  assert.is.not(next['id'], id)
  assert.equal(await listed(world.one, `${ofClient(application)}&state=revoked`), [])
  assert.is((await ask(world.one, 'GET', `${path}/${String(id)}`)).members['error'], 'unknown_connection')
  assert.is(await userinfo(world.one, again.tokens.access_token), 200)
})

connections('an application for which no end-user is asked has one, too', async ({ world }) => {
  const portal = await configured(world.one, { ...confidential, preferred_client_id: 'portal' })
  const { prompts, tokens } = await signIn(world.one, portal, new Browser(), {}, as('max'))
  assert.equal(prompts, ['login', 'consent'], 'the page answers by itself')
  const { id } = await one(world.one, '?client_id=portal&sub=max')
  await ask(world.one, 'DELETE', `${path}/${String(id)}`)
  assert.is(await userinfo(world.one, tokens.access_token), 401)
})

connections('all of an end-user, or of an application, end when their number is confirmed', async ({ world }) => {
  const first = await configured(world.one, confidential)
  const second = await configured(world.one, confidential)
  const browser = new Browser()
  await signIn(world.one, first, browser, {}, as('eve'))
  await signIn(world.one, second, browser, {}, as('eve'))
  const stays = await signIn(world.one, second, new Browser(), {}, as('ada'))
  const revocation = (json: object) => ask(world.one, 'POST', `${path}/revocation`, { json })
  const filter = { sub: 'eve' }
  assert.equal((await revocation({ filter, dry_run: true })).members, { count: 2 })
  const wrong = await revocation({ filter, count: 3 })
  assert.equal([wrong.status, wrong.members['error'], wrong.members['count']], [409, 'count_changed', 2])
  assert.match(String(wrong.members['error_description']), '2 connections now')
  assert.is((await listed(world.other, '?sub=eve')).length, 2)
  assert.equal((await revocation({ filter, count: 2 })).members, { changed: 2, unchanged: 0 })
  assert.equal(await listed(world.other, '?sub=eve'), [])
  assert.is(await userinfo(world.other, stays.tokens.access_token), 200)
  const of = { client_id: second.registered.client_id, scope: 'email' }
  assert.equal((await revocation({ filter: of, count: 1 })).members, { changed: 1, unchanged: 0 })
  assert.is(await userinfo(world.other, stays.tokens.access_token), 401)
  for (const json of [
    { filter: {}, count: 0 },
    { filter: { user: 'eve' }, count: 0 },
    { filter: { sub: '' }, count: 0 },
  ])
    assert.is((await revocation(json)).status, 400)
})

connections('each revocation has its audit row, and a consent that is given meanwhile is silent', async ({ world }) => {
  const application = await configured(world.one, confidential)
  const browser = new Browser()
  await signIn(world.one, application, browser, {}, as('bob'))
  const { id } = await one(world.one, ofClient(application))
  await ask(world.one, 'DELETE', `${path}/${String(id)}`)
  const { client_id } = application.registered
  const audit = await ask(world.one, 'GET', `/manage/v1/audit?client_id=${client_id}&action=connection_revoked`)
  const rows = audit.members['rows'] as ReadonlyArray<{ readonly entry: Members }>
  assert.equal(
    rows.map(({ entry }) => [entry['subject'], (entry['actor'] as Members)['kind']]),
    [[id, 'master']],
  )
  const { end } = await goThrough(browser, world.one, (await application.request({ prompt: 'none' })).url)
  assert.is(end?.searchParams.get('error'), 'consent_required')
})

connections('a token of an operator does what its privileges permit, and no more', async ({ world }) => {
  const application = await configured(world.one, confidential)
  await signIn(world.one, application, new Browser(), {}, as('ian'))
  const { id } = await one(world.one, ofClient(application))
  const issued = async (scope: string): Promise<string> => {
    const answer = await post(`${world.one.url}/operator-tokens`, masterToken, { scope, lifetime: 600 })
    return String(((await answer.json()) as Members)['access_token'])
  }
  const statuses = async (token: string) => {
    const json = { filter: { sub: 'nobody' }, dry_run: true }
    const asked = [
      await ask(world.one, 'GET', path, { token }),
      await ask(world.one, 'POST', `${path}/revocation`, { token, json }),
      await ask(world.one, 'DELETE', `${path}/${String(id)}`, { token }),
    ]
    return asked.map(({ status }) => status)
  }
  assert.equal(await statuses(await issued('clients:read clients:write sessions audit')), [403, 403, 403])
  assert.equal(await statuses(await issued('connections:read')), [200, 403, 403])
  assert.equal(await statuses(await issued('connections:write')), [403, 403, 204])
})

connections('a filter that cannot be read is refused, with all faults', async ({ world }) => {
  const { status, members } = await ask(world.one, 'GET', `${path}?state=gone&used_since=soon&limit=0`)
  assert.is(status, 400)
  for (const text of ['state must be there once at most, and be one of live, revoked', 'used_since', 'limit'])
    assert.match(String(members['error_description']), text)
  assert.match(String((await ask(world.one, 'GET', `${path}?user=x`)).members['error_description']), 'user is unknown')
  for (const id of ['x', 'c1-', 'c1-zzzzzzzz', 'C1-1'])
    assert.is((await ask(world.one, 'DELETE', `${path}/${id}`)).status, 404)
})

connections.run()

type Armed = { before: 'grant' | 'consent' | 'answer' | 'reading' | undefined }

const raced = suite<{ world: World; armed: Armed }>('a connection that is revoked as it is used')

// The consent was read, and what follows from it is not stored yet: its grant, or the next consent.
const revokeBefore =
  (open: StoreOpener, armed: Armed): StoreOpener =>
  (needs) =>
    pipe(
      open(needs),
      TE.map((store) => {
        const revoke = async (before: Armed['before'], sub: Subject, at: EpochSeconds): Promise<void> => {
          if (armed.before !== before) return
          armed.before = undefined
          const found = await done(store.connections.searchConnections({ sub }, at, { after: 0, limit: 1 }))
          const [connection] = found.connections
          if (connection === undefined) throw new Error('there is a connection')
          const revoked = { at, by: { kind: 'master', fingerprint: '' } } as const
          await done(store.connections.revokeConnection({ connection, revoked, audit: undefined }))
        }
        return {
          ...store,
          artefacts: {
            ...store.artefacts,
            storeArtefact: (artefact, at, use) => async () => {
              if (artefact.kind === 'grant' && artefact.sub !== undefined) await revoke('grant', artefact.sub, at)
              // The page is there from now on, and its answer reads the consent next.
              const isPage = artefact.kind === 'interaction' && artefact.sub !== undefined
              if (isPage && armed.before === 'answer') armed.before = 'reading'
              return store.artefacts.storeArtefact(artefact, at, use)()
            },
          },
          consents: {
            ...store.consents,
            findConsent: (sub, client) => async () => {
              await revoke('reading', sub, epochSeconds(Date.now()))
              return store.consents.findConsent(sub, client)()
            },
            recordConsent: (consent, earlier) => async () => {
              await revoke('consent', consent.sub, consent.given_at)
              return store.consents.recordConsent(consent, earlier)()
            },
          },
        }
      }),
    )

raced.before(async (context) => {
  context.armed = { before: undefined }
  const openStore = revokeBefore(openInMemoryStore(emptyState()), context.armed)
  const flags = { engine: 'oidc-provider', 'registration-status': '201' }
  context.world = await startTwo(flags, {}, openStore)
})
raced.after(({ world }) => stopTwo(world))

raced('the end-user is asked again, and no grant of before is left', async ({ world: { one: service }, armed }) => {
  const application = await configured(service, confidential)
  await signIn(service, application, new Browser())
  assert.equal((await signIn(service, application, new Browser())).prompts, ['login'])
  armed.before = 'grant'
  const { prompts, tokens } = await signIn(service, application, new Browser())
  assert.equal([prompts, armed.before], [['login', 'consent'], undefined])
  const connection = await one(service, ofClient(application))
  assert.equal([connection['access_tokens'], connection['refresh_tokens']], [1, 1])
  assert.is(await userinfo(service, tokens.access_token), 200)
})

const interactionGone = (error: unknown): boolean => String(error).includes('interaction_gone')

raced('a consent to more brings nothing of before back', async ({ world: { one: service }, armed }) => {
  const application = await configured(service, confidential)
  await signIn(service, application, new Browser(), { scope: 'openid email' }, as('pia'))
  const browser = new Browser()
  const { url } = await application.request({ scope: 'openid email phone' })
  armed.before = 'consent'
  await rejects(goThrough(browser, service, url, as('pia')), interactionGone)
  assert.equal(await listed(service, `${ofClient(application)}&sub=pia`), [])
  const { prompts } = await goThrough(browser, service, (await application.request({ scope: 'openid phone' })).url)
  assert.equal(prompts, ['consent'])
  assert.equal((await one(service, `${ofClient(application)}&sub=pia`))['scopes'], ['openid', 'phone'])
})

raced(
  'a revocation that the answer does not see any more is not undone',
  async ({ world: { one: service }, armed }) => {
    const application = await configured(service, confidential)
    await signIn(service, application, new Browser(), { scope: 'openid email' }, as('mia'))
    const { url } = await application.request({ scope: 'openid email phone' })
    armed.before = 'answer'
    await rejects(goThrough(new Browser(), service, url, as('mia')), interactionGone)
    assert.is(armed.before, undefined)
    assert.equal(await listed(service, `${ofClient(application)}&sub=mia`), [])
  },
)

raced('the end of a first consent ends the request, and leaves no grant', async ({ world, armed }) => {
  const application = await configured(world.one, confidential)
  const { url } = await application.request()
  armed.before = 'grant'
  await rejects(goThrough(new Browser(), world.one, url, as('kim')), interactionGone)
  assert.equal(await listed(world.one, `${ofClient(application)}&sub=kim`), [])
  const { tokens, prompts } = await signIn(world.one, application, new Browser(), {}, as('kim'))
  assert.equal(prompts, ['login', 'consent'])
  assert.is(await userinfo(world.one, tokens.access_token), 200)
})

raced.run()

type OfCommand = {
  directory: string
  service: Service
  command: (...argv: ReadonlyArray<string>) => ReturnType<typeof run>
}

const commands = suite<OfCommand>('clientele connections')

commands.before(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': join(context.directory, 'data'), 'master-token': masterToken }
  context.service = await started({ ...flags, engine: 'oidc-provider', 'registration-status': '201' })
  const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  context.command = (...argv) => run([...argv, ...given])
})
commands.after(async ({ directory, service }) => {
  await service.stop()
  rmSync(directory, { recursive: true })
})

commands('list, show and revoke on a file, one by one and by filters', async ({ service, command }) => {
  const application = await configured(service, { ...confidential, client_name: 'Mail' })
  const { client_id } = application.registered
  for (const sub of ['zoe', 'ann', 'max']) await signIn(service, application, new Browser(), {}, as(sub))
  const lines = (await command('connections', 'list', '--client', client_id)).output.trim().split('\n')
  assert.is(lines.length, 3)
  assert.match(lines[0] ?? '', new RegExp(`^c1-\\w+ {2}${client_id} {2}Mail {2}of zoe {2}openid email {2}since \\d{4}`))
  assert.match(lines[0] ?? '', '1 access token, 1 refresh token')
  const first = await command('connections', 'list', '--limit', '2')
  const [, next = ''] = /--after (\S+) goes on/.exec(first.output) ?? []
  const rest = JSON.parse((await command('connections', 'list', '--after', next, '--json')).output)
  assert.equal(
    rest.connections.map(({ sub }: { readonly sub: string }) => sub),
    ['max'],
  )
  const { id } = rest.connections[0]
  assert.equal(JSON.parse((await command('connections', 'show', id)).output), rest.connections[0])
  assert.match((await command('connections', 'revoke', id)).output, 'its tokens are refused from now on')
  assert.match((await command('connections', 'list', '--state', 'revoked')).output, 'revoked 2')
  const dry = await command('connections', 'revoke', '--client', client_id, '--dry-run')
  assert.is(dry.output, 'This would revoke 2 connections: --confirm 2 does it\n')
  const done = await command('connections', 'revoke', '--client', client_id, '--confirm', '2')
  assert.is(done.output, '2 connections revoked\n')
  assert.is((await command('connections', 'list')).output, 'No connection is like that\n')
  const none = await command('connections', 'show', 'c1-zz')
  assert.equal([none.status, none.errors.includes('clientele connections list shows')], [1, true])
  for (const wrong of [
    ['--scope', 'two words'],
    ['--after', 'x'],
    ['--state', 'gone'],
  ])
    assert.is((await command('connections', 'list', ...wrong)).status, 2)
  assert.is((await command('connections', 'revoke')).status, 2)
})

commands.run()
