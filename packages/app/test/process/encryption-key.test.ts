// A change of the encryption key in the running process, and after its crash.
import { createEncryption } from '@clientele/adapters-jose/node'
import { openStore } from '@clientele/adapters-sqlite'
import { exampleClient, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, configurationOf, register, send } from '../support/requests.js'
import { type Launched, type Service, discard, launch, newDataDir, startService } from '../support/service.js'

const rotation = suite('change of the encryption key, process')

// More values than are sealed anew before a signal arrives.
const clients = 12_000

const keysIn = (dataDir: string): ReadonlyArray<string> =>
  readFileSync(join(dataDir, 'encryption-key'), 'utf8')
    .split(/[\s,]+/)
    .filter((key) => key !== '')

const fill = async (dataDir: string): Promise<void> => {
  const [key = ''] = keysIn(dataDir)
  const store = await openStore({
    file: join(dataDir, 'clientele.db'),
    encryption: createEncryption(Buffer.from(key, 'base64url'), []),
    generateKey: () => '',
    onFatal: () => undefined,
  })()
  if (E.isLeft(store)) throw new Error(store.left.message)
  const { registry, close } = store.right
  for (let from = 0; from < clients; from += 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        registry.addClient(addition(exampleClient(`filled-${from + index}`)))(),
      ),
    )
  await close()
}

const command = (dataDir: string, ...argv: ReadonlyArray<string>): Launched =>
  launch(argv, { CLIENTELE_DATA_DIR: dataDir })

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

const ended = async ({ exited, output }: Launched): Promise<Ended> => ({ status: await exited, ...output() })

const untilBegun = async ({ exited, output }: Launched): Promise<void> => {
  const over = { is: false }
  void exited.then(() => (over.is = true))
  while (!/Sealing anew: \d/.test(output().stderr) && !over.is) await pause(1)
}

const work = async (service: Service, known: Array<Answer>, until: { stopped: boolean }): Promise<void> => {
  while (!until.stopped) {
    const registered = await register(service)
    assert.is(registered.status, 200)
    const { token } = configurationOf(registered)
    const read = await send(service, `/clients/${String(registered.json['client_id'])}`, { token })
    assert.is(read.status, 200)
    known.push(registered)
  }
}

const allFilledAreRead = async (service: Service): Promise<void> => {
  const answer = await fetch(`${service.base}/clients`, { headers: { Authorization: `Bearer ${service.master}` } })
  const list = (await answer.json()) as ReadonlyArray<{ readonly client_id: string }>
  assert.is(list.filter(({ client_id }) => client_id.startsWith('filled-')).length, clients)
}

const settings = { CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' }

rotation('killed twice in its midst, and continued under load: nothing is lost, and the earlier key goes', async () => {
  const dataDir = newDataDir()
  await (await startService(settings, dataDir)).stop()
  await fill(dataDir)
  const [earlier] = keysIn(dataDir)

  const killed = await startService(settings, dataDir)
  const first = command(dataDir, 'encryption-key', 'rotate')
  await untilBegun(first)
  await killed.stop('SIGKILL')
  const refused = await ended(first)
  assert.is(refused.status, 1, refused.stdout)
  const [next, ...others] = keysIn(dataDir)
  assert.equal(others, [earlier])
  assert.is(statSync(join(dataDir, 'encryption-key')).mode & 0o777, 0o600)

  const second = command(dataDir, 'encryption-key', 'rotate')
  await untilBegun(second)
  second.child.kill('SIGKILL')
  await second.exited
  const between = await ended(command(dataDir, 'encryption-key', 'check'))
  assert.is(between.status, 1)
  assert.match(between.stdout, /Sealed with another key: \d+ of 12\d{3} values/)
  const early = await ended(command(dataDir, 'encryption-key', 'drop'))
  assert.is(early.status, 1)
  assert.match(early.stderr, 'still sealed with an earlier key')

  const service = await startService(settings, dataDir)
  await allFilledAreRead(service)
  const known: Array<Answer> = []
  const until = { stopped: false }
  const load = Promise.all(Array.from({ length: 4 }, () => work(service, known, until)))
  const third = await ended(command(dataDir, 'encryption-key', 'rotate'))
  assert.is(third.status, 0, third.stderr)
  assert.match(third.stdout, /Sealed anew: [1-9]\d*\nEvery other key may go: clientele encryption-key drop/)
  assert.equal(keysIn(dataDir), [next, earlier])
  assert.is((await ended(command(dataDir, 'encryption-key', 'check'))).status, 0)
  const dropped = await ended(command(dataDir, 'encryption-key', 'drop'))
  assert.is(dropped.status, 0, dropped.stderr)
  assert.match(dropped.stdout, 'No other key is left')
  until.stopped = true
  await load
  assert.ok(known.length > 0)
  assert.equal(keysIn(dataDir), [next])
  await service.stop()

  const again = await startService(settings, dataDir)
  await allFilledAreRead(again)
  for (const each of known) {
    const path = `/clients/${String(each.json['client_id'])}`
    assert.is((await send(again, path, { token: configurationOf(each).token })).status, 200)
  }
  for (const key of [String(earlier), String(next)])
    for (const text of [...Object.values(again.output()), ...Object.values(third).map(String)])
      assert.not.ok(text.includes(key))
  await again.stop()
  discard(dataDir)
})

rotation('a running service seals with the new key at once, and needs no restart', async () => {
  const dataDir = newDataDir()
  const service = await startService(settings, dataDir)
  const before = await register(service)
  const rotated = await ended(command(dataDir, 'encryption-key', 'rotate'))
  assert.is(rotated.status, 0, rotated.stderr)
  const after = await register(service)
  assert.is((await ended(command(dataDir, 'encryption-key', 'drop'))).status, 0)
  for (const each of [before, after])
    assert.is(
      (await send(service, `/clients/${String(each.json['client_id'])}`, { token: configurationOf(each).token }))
        .status,
      200,
    )
  const rest = await ended(command(dataDir, 'encryption-key', 'check', '--json'))
  assert.is(rest.status, 0, rest.stdout)
  assert.match(rest.stdout, '"kept_in": "file"')
  await service.stop()
  discard(dataDir)
})

rotation.run()
