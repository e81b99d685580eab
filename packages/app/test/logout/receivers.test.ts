// Receivers of many kinds, notified concurrently over TLS.
import { createLogoutSender } from '@clientele/adapters-outbound'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { epochSeconds } from '@clientele/domain/kernel'
import { defaultDelivery } from '@clientele/domain/logout'
import { inMemoryPendingNotifications } from '@clientele/adapters-memory'
import { exampleNotification, exampleOrigin } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/observing/log.js'
import { createLogoutDispatcher } from '../../src/running/logout-dispatcher.js'
import { started } from '../cli/run.js'
import { dispatcherPorts } from '../support/dispatcher-ports.js'
import { reachReceivers, startReceiver, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { registerNotified, signIn, signOut } from '../support/sessions.js'
import { masterToken } from '../support/two-services.js'

const receivers = suite('receivers of logout tokens')

type Kind = { readonly answer: (response: ServerResponse) => void; readonly becomes: readonly [string, number, string] }

const status = (code: number, headers: Readonly<Record<string, string>> = {}) => {
  return (response: ServerResponse): void => void response.writeHead(code, headers).end()
}

const endless = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response
    .writeHead(200)
    .on('drain', more)
    .on('error', () => undefined)
  more()
}

const timeLimit = 2_000
const failed = (code: number): Kind['becomes'] => ['failed', 0, `the status was ${code}`]
const later = (seconds: number, note: string): Kind['becomes'] => ['waits', seconds, note]

const kinds: Readonly<Record<string, Kind>> = {
  ok: { answer: status(200), becomes: ['delivered', 0, ''] },
  'no-content': { answer: status(204), becomes: ['delivered', 0, ''] },
  endless: { answer: endless, becomes: ['delivered', 0, ''] },
  refuses: { answer: status(400), becomes: failed(400) },
  redirects: { answer: status(302, { Location: 'https://127.0.0.1/' }), becomes: failed(302) },
  gone: { answer: status(410), becomes: failed(410) },
  broken: { answer: status(500), becomes: later(60, 'the status was 500') },
  busy: { answer: status(429, { 'Retry-After': '600' }), becomes: later(600, 'the status was 429') },
  'very-busy': { answer: status(503, { 'Retry-After': '999999999' }), becomes: later(7_200, 'the status was 503') },
  hangs: { answer: () => undefined, becomes: later(60, `no answer within ${timeLimit} ms`) },
  closes: { answer: (response) => void response.destroy(), becomes: later(60, 'UND_ERR_SOCKET') },
}

receivers('each becomes what its answer says, and none holds up another one', async () => {
  const pending = inMemoryPendingNotifications()
  const at = epochSeconds(Date.now())
  const started = await Promise.all(
    Object.entries(kinds).map(async ([name, { answer }]) => [name, await startReceiver(answer)] as const),
  )
  for (const [name, { uri }] of started)
    for (const nth of [1, 2]) pending.add({ ...exampleNotification(`${name}-${nth}`, name), uri, created_at: at })
  const dispatcher = createLogoutDispatcher({
    settings: {
      delivery: defaultDelivery,
      keyPolicy: { retention: 86_400 },
      instance: 'this instance',
      isOnLoopback: false,
    },
    ports: dispatcherPorts(pending, () => at),
    sender: createLogoutSender({ ...reachReceivers, timeLimit }),
    log: createLog('silent', { write: () => true, writableLength: 0 }),
  })
  dispatcher.start(() => TE.right('signed'))
  await until(async () => {
    const due = await pending.nextDue(at, 'this instance')()
    return E.isRight(due) && due.right._tag === 'Some' && due.right.value > at
  })
  await dispatcher.stop()
  const list = await dispatcher.notifications(operatorOfTheStore(), { origin: exampleOrigin }).listNotifications()
  if (E.isLeft(list)) throw new Error('not listed')
  for (const [name, { becomes }] of Object.entries(kinds)) {
    const [state, seconds, note] = becomes
    const [first, second, ...more] = list.right.notices.filter(({ client_id }) => client_id === name)
    assert.equal(more, [], name)
    if (state === 'delivered') assert.is(first, undefined, name)
    else assert.equal([first?.state, first?.attempts, first?.note], [state, 1, note], name)
    if (state !== 'waits') continue
    assert.equal([first?.due_at, second?.due_at], [at + seconds, at + seconds], name)
    assert.equal([second?.attempts, second?.note], [0, `waits for its receiver: ${note}`], name)
  }
  for (const [name, { received }] of started)
    assert.is(received.length, kinds[name]?.becomes[0] === 'waits' ? 1 : 2, name)
  await Promise.all(started.map(([, { stop }]) => stop()))
})

// OpenID Back-Channel Logout §2.2: a service that moved away from loopback no longer sends by http to its own machine.
receivers('http on this machine is used only while the base URL is on loopback', async () => {
  const requests: Array<string | undefined> = []
  const receiver = createServer((request, response) => {
    requests.push(request.url)
    response.end()
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = {
    'data-dir': directory,
    'master-token': masterToken,
    'outbound-fetches': 'true',
    'outbound-allowed-networks': '127.0.0.0/8',
  }
  const before = await started(flags)
  const there = { base: before.url, master: masterToken }
  const client = await registerNotified(there, `http://localhost:${port}/out`)
  const first = await signIn(there, 'alice', [client])
  const second = await signIn(there, 'alice', [client])
  await signOut(there, first)
  await until(() => requests.length === 1)
  await before.stop()
  const after = await started({ ...flags, 'base-url': 'https://op.example' })
  const here = { base: after.url, master: masterToken }
  await signOut(here, second)
  const notes = async (): Promise<ReadonlyArray<unknown>> =>
    JSON.parse((await send(here, '/logouts', { token: masterToken })).text).notices.map(
      ({ state, note }: { readonly state: string; readonly note: string }) => [state, note],
    )
  await until(async () => (await notes()).some((each) => String(each).startsWith('failed')))
  assert.equal(await notes(), [['failed', 'backchannel_logout_uri would not be registered today']])
  assert.is(requests.length, 1)
  await after.stop()
  await new Promise((resolve) => receiver.close(resolve))
  rmSync(directory, { recursive: true })
})

receivers.run()
