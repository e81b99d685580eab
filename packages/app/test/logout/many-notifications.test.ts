import { epochSeconds } from '@clientele/domain/kernel'
import { type EndUserSession, type LogoutNotification, defaultNotificationLimits } from '@clientele/domain/logout'
import type { RegisteredClient } from '@clientele/domain/registration'
import { exampleId, exampleNotification, exampleSession, exampleTime, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeJwt } from 'jose'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { permitCommand } from '../../src/running/presence.js'
import { openData } from '../../src/data/open-data.js'
import { started } from '../cli/run.js'
import { type Receiver, reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { registerNotified } from '../support/sessions.js'

const many = suite('many notices to 20 receivers')

// LOGOUT_SESSIONS=500 makes ten thousand notifications.
const sessions = Number(process.env['LOGOUT_SESSIONS'] ?? 50)
const receiversCount = 20

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}
const done = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => right(await task())

type Reported = ReadonlyMap<string, Receiver>

const endedSession = (
  index: number,
  clients: Reported,
  registered: ReadonlyArray<RegisteredClient>,
): readonly [EndUserSession, ReadonlyArray<LogoutNotification>] => {
  const session = exampleSession(`session-${index}`, [...clients.keys()])
  const created_at = epochSeconds(Date.now())
  const notifications = registered.map(({ client_id, registration_id }) => {
    const { uri } = clients.get(client_id) ?? { uri: '' }
    const notification = exampleNotification(`${client_id}-${index}`, client_id)
    return { ...notification, registration_id, uri, alg: 'ES256', sid: session.sid, created_at }
  })
  return [session, notifications]
}

// Many end-users sign out while the service cannot notify any application.
const endSessions = async (flags: Readonly<Record<string, string>>, clients: Reported): Promise<void> => {
  const { config } = right(loadConfig({ flags, environment: {}, readFile }))
  const { store, hashToken } = right(
    await openData(config, { onFatal: () => undefined, expectExisting: true, admit: permitCommand })(),
  )
  const registered = (await done(store.registry.findClients([...clients.keys()].map(exampleId)))).map(right)
  const end = async (index: number): Promise<void> => {
    const [session, notifications] = endedSession(index, clients, registered)
    await done(store.endUserSessions.addSession(session, hashToken(`cookie-${index}`), exampleTime, noRow))
    await done(
      store.sessionTermination.endSession(
        {
          session,
          notifications,
          notificationLimits: defaultNotificationLimits,
          revokesOfflineAccess: false,
        },
        noRow,
      ),
    )
  }
  await Promise.all(Array.from({ length: sessions }, (_, index) => end(index)))
  await store.close()
}

many('all are delivered once, and requests are answered meanwhile', async () => {
  const dataDir = newDataDir()
  const master = randomBytes(32).toString('hex')
  const flags = {
    'data-dir': dataDir,
    'master-token': master,
    'signing-algorithms': 'ES256',
    'outbound-fetches': 'true',
  }
  const receivers = await Promise.all(Array.from({ length: receiversCount }, () => startReceiver()))
  const before = await started(flags)
  const clients = new Map<string, Receiver>()
  for (const receiver of receivers)
    clients.set(
      await registerNotified({ base: before.baseUrl, master }, receiver.uri, { id_token_signed_response_alg: 'ES256' }),
      receiver,
    )
  await before.stop()
  await endSessions(flags, clients)

  const service = await started(flags, { outbound: { ...reachReceivers, timeLimit: 60_000 } })
  const base = { base: service.baseUrl }
  const delivered = (): number => receivers.reduce((sum, { received }) => sum + received.length, 0)
  let answered = 0
  await until(
    async () => {
      for (const path of ['/health/ready', '/jwks.json', '/.well-known/openid-configuration'])
        assert.is((await send(base, path)).status, 200)
      const json = { redirect_uris: ['https://rp.example/callback'] }
      assert.is((await send(base, '/clients', { method: 'POST', token: master, json })).status, 200)
      answered += 1
      return delivered() >= sessions * receiversCount
    },
    380_000,
    250,
  )
  assert.ok(answered > 1, 'requests are answered meanwhile')
  const left = async (): Promise<number> =>
    JSON.parse((await send(base, '/logouts', { token: master })).text).notices.length
  await until(async () => (await left()) === 0)
  await service.stop()

  const claims = receivers.flatMap(tokensOf).map((token) => decodeJwt(token))
  assert.is(claims.length, sessions * receiversCount)
  assert.is(new Set(claims.map(({ jti }) => jti)).size, claims.length)
  for (const [client, receiver] of clients) {
    const own = tokensOf(receiver).map((token) => decodeJwt(token))
    assert.ok(own.every(({ aud }) => aud === client))
    assert.is(new Set(own.map(({ sid }) => sid)).size, sessions)
  }
  await Promise.all(receivers.map(({ stop }) => stop()))
  discard(dataDir)
})

many.run()
