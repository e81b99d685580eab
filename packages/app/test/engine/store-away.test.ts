// A store that does not answer in the middle of a request: RFC 9110 §15.6.4.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { unavailable } from '@clientele/domain/kernel'
import { done, endOf, noRow } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ServiceOptions } from '../../src/compose.js'
import { createLog } from '../../src/observing/log.js'
import { started } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { confidential, configured, refused, signIn } from './support/relying-party.js'

type OpenStore = NonNullable<ServiceOptions['openStore']>
type Opened = ReturnType<OpenStore> extends TE.TaskEither<unknown, infer Store> ? Store : never

const away = suite('a store that does not answer')

away('an end-user who is signed in gets a page, and goes on when it answers again', async () => {
  const fault = { is: false }
  const open = openInMemoryStore(emptyState())
  const openStore: OpenStore = (...given) =>
    TE.map((store: Opened) => ({
      ...store,
      artefacts: {
        ...store.artefacts,
        storeArtefact: (...sent: Parameters<typeof store.artefacts.storeArtefact>) =>
          fault.is && sent[0].kind === 'session'
            ? TE.left(unavailable('the disk is full'))
            : store.artefacts.storeArtefact(...sent),
      },
    }))(open(...given))
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started({ ...flags, 'registration-status': '201' }, { openStore })
  try {
    const application = await configured(service, confidential)
    const browser = new Browser()
    await signIn(service, application, browser)
    fault.is = true
    const { page, end } = await goThrough(browser, service, (await application.request()).url)
    assert.is(end, undefined)
    assert.equal([page?.status, page?.headers.get('retry-after')], [503, '1'])
    assert.match(String(page?.headers.get('content-type')), /^text\/html/)
    assert.match(String(await page?.text()), /temporarily_unavailable/)
    fault.is = false
    assert.equal((await signIn(service, application, browser)).prompts, [])
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
})

const endsMeanwhile = async (rotates: string): Promise<void> => {
  const logout = { is: false }
  const open = openInMemoryStore(emptyState())
  const openStore: OpenStore = (...given) =>
    TE.map((store: Opened) => ({
      ...store,
      artefacts: {
        ...store.artefacts,
        findArtefact: (...asked: Parameters<typeof store.artefacts.findArtefact>) =>
          pipe(
            store.artefacts.findArtefact(...asked),
            TE.tapIO((found) => async () => {
              const sid = O.toUndefined(found)?.session
              if (!logout.is || asked[0] !== 'refresh_token' || sid === undefined) return
              const session = O.toUndefined(await done(store.endUserSessions.findSessionById(sid)))
              if (session !== undefined) await done(store.sessionTermination.endSession(endOf(session), noRow))
            }),
          ),
      },
    }))(open(...given))
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started(
    {
      ...flags,
      'registration-status': '201',
      'logout-ends-offline-access': 'true',
      'refresh-token-grace': '60',
      'rotate-refresh-tokens': rotates,
    },
    { openStore },
  )
  try {
    const application = await configured(service, confidential)
    const offline = { scope: 'openid offline_access', prompt: 'consent' }
    const { tokens } = await signIn(service, application, new Browser(), offline)
    const refresh = () => client.refreshTokenGrant(application.config, String(tokens.refresh_token))
    await refresh()
    logout.is = true
    assert.is(await refused(refresh()), 'invalid_grant')
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

for (const rotates of ['true', 'false'])
  away(`a refresh during which the session ends is refused, with rotation ${rotates}`, () => endsMeanwhile(rotates))

away('a JWT is issued while uses cannot be recorded, and the log has the client', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const open = openInMemoryStore(emptyState())
  const openStore: OpenStore = (...given) =>
    TE.map((store: Opened) => ({
      ...store,
      clientUses: { ...store.clientUses, recordUse: () => TE.left(unavailable('the disk is full')) },
    }))(open(...given))
  const resource = 'https://api.example/'
  const policy = join(directory, 'resources.json')
  writeFileSync(policy, JSON.stringify([{ resource, scope: ['read'], access_token_format: 'jwt' }]))
  const lines: Array<string> = []
  const log = createLog('warn', { write: (line) => lines.push(line) > 0, writableLength: 0 })
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started(
    { ...flags, 'registration-status': '201', 'resource-policy': policy },
    { openStore, log },
  )
  try {
    const { config, registered } = await configured(service, { ...confidential, scope: 'read' })
    const { access_token } = await client.clientCredentialsGrant(config, { resource, scope: 'read' })
    assert.is(access_token.split('.').length, 3)
    const [line] = lines.filter((each) => each.includes('not recorded'))
    const { client_id, detail } = JSON.parse(String(line)) as Readonly<Record<string, unknown>>
    assert.equal([client_id, detail], [registered.client_id, 'the disk is full'])
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
})

away.run()
