import { decodeJwt } from 'jose'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Receiver, startReceiver, tokensOf, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { type Provider, registerNotified, signIn, signOut } from '../support/sessions.js'

const crash = suite('kill -9 during a logout')

const program = fileURLToPath(new URL('../support/dying-service.ts', import.meta.url))

type Running = { readonly provider: Provider; readonly child: ChildProcess; readonly ended: Promise<unknown> }

const running = async (dataDir: string, master: string, fate: 'dies' | 'lives'): Promise<Running> => {
  const args = ['--import', 'tsx', '--conditions=@clientele/source', program, dataDir, master, fate]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close').then(([, signal]: ReadonlyArray<unknown>) => signal)
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(() => {
    if (child.exitCode !== null) throw new Error(errors)
    return output.includes('\n')
  })
  return { provider: { base: output.replace('ready ', '').trim(), master }, child, ended }
}

const stopped = async ({ child, ended }: Running): Promise<void> => {
  child.kill('SIGTERM')
  assert.is(await ended, null)
}

const owed = async ({ base, master }: Provider): Promise<number> =>
  JSON.parse((await send({ base }, '/logouts', { token: master })).text).notices.length

/** Restarts the service with the data of the killed one until all notifications are delivered; returns the tokens. */
const deliveredAfter = async (dataDir: string, master: string, receiver: Receiver, count: number) => {
  const again = await running(dataDir, master, 'lives')
  await until(async () => tokensOf(receiver).length >= count && (await owed(again.provider)) === 0)
  await stopped(again)
  return tokensOf(receiver).map((token) => decodeJwt(token))
}

crash('what was on disk and not sent yet is delivered after the next start, once', async () => {
  const dataDir = newDataDir()
  const master = randomBytes(32).toString('hex')
  const receiver = await startReceiver()
  const first = await running(dataDir, master, 'dies')
  const alg = { id_token_signed_response_alg: 'ES256' }
  const client = await registerNotified(first.provider, receiver.uri, alg)
  const session = await signIn(first.provider, 'zoe', [client])
  // The answer may or may not arrive before the end.
  await signOut(first.provider, session).catch(() => undefined)
  assert.is(await first.ended, 'SIGKILL')
  assert.is(receiver.received.length, 0)
  const tokens = await deliveredAfter(dataDir, master, receiver, 1)
  assert.equal(
    tokens.map(({ aud, sub, sid }) => ({ aud, sub, sid })),
    [{ aud: client, sub: session.names.get(client)?.['sub'], sid: session.names.get(client)?.['sid'] }],
  )
  await receiver.stop()
  discard(dataDir)
})

crash('what was sent and not recorded is sent once more, under another jti; nothing is lost', async () => {
  const dataDir = newDataDir()
  const master = randomBytes(32).toString('hex')
  const killed: { child?: ChildProcess } = {}
  const receiver = await startReceiver((response, nth) => {
    if (nth === 2) killed.child?.kill('SIGKILL')
    else response.end()
  })
  const first = await running(dataDir, master, 'lives')
  killed.child = first.child
  const alg = { id_token_signed_response_alg: 'ES256' }
  const clients = await Promise.all(
    Array.from({ length: 6 }, () => registerNotified(first.provider, receiver.uri, alg)),
  )
  await signOut(first.provider, await signIn(first.provider, 'zoe', clients)).catch(() => undefined)
  assert.is(await first.ended, 'SIGKILL')
  const tokens = await deliveredAfter(dataDir, master, receiver, 7)
  assert.equal(new Set(tokens.map(({ aud }) => String(aud))), new Set(clients))
  assert.is(new Set(tokens.map(({ jti }) => jti)).size, tokens.length)
  // A receiver gets one request at a time, so that at most one attempt was not recorded.
  assert.ok(tokens.length <= 8, `${tokens.length} tries`)
  await receiver.stop()
  discard(dataDir)
})

crash.run()
