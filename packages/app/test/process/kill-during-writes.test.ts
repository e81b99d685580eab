import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, newDataDir, startService } from '../support/service.js'

const rounds = Number(process.env['KILL_ROUNDS'] ?? (process.env['CI'] === undefined ? 10 : 50))

const crash = suite('kill -9 during writes')

/** The last acknowledged answer about each client; undefined for a deleted one. */
type Ledger = Map<string, Answer | undefined>

const work = async (service: Service, ledger: Ledger, unsure: Set<string>): Promise<void> => {
  for (;;) {
    const registered = await register(service).catch(() => undefined)
    if (registered === undefined) return
    const id = String(registered.json['client_id'])
    ledger.set(id, registered)
    const { token } = configurationOf(registered)
    const path = `/clients/${id}`
    unsure.add(id)
    const updated = await send(service, path, { method: 'PUT', token, json: { redirect_uris, client_name: id } }).catch(
      () => undefined,
    )
    if (updated === undefined) return
    ledger.set(id, updated)
    if (id.charCodeAt(0) % 3 === 0) {
      const sent = { method: 'DELETE', token: configurationOf(updated).token }
      if ((await send(service, path, sent).catch(() => undefined)) === undefined) return
      ledger.set(id, undefined)
    }
    unsure.delete(id)
  }
}

const spendTokens = async (service: Service, consumed: Set<string>): Promise<void> => {
  for (;;) {
    const token = await issueToken(service, 'client-reg').catch(() => undefined)
    if (token === undefined) return
    const answer = await register(service, { redirect_uris }, token).catch(() => undefined)
    if (answer === undefined) return
    consumed.add(token)
  }
}

const verify = async (service: Service, ledger: Ledger, unsure: ReadonlySet<string>): Promise<void> => {
  for (const [id, known] of ledger) {
    if (unsure.has(id)) continue
    const found = await send(service, `/clients/${id}`, { token: service.master })
    assert.is(found.status, known === undefined ? 404 : 200, id)
    if (known !== undefined)
      assert.equal(found.json, { ...known.json, registration_client_uri: found.json['registration_client_uri'] })
  }
}

crash(`nothing acknowledged is lost, nothing is half done: ${rounds} rounds`, async () => {
  const dataDir = newDataDir()
  let acknowledged = 0
  for (let round = 0; round < rounds; round += 1) {
    const service = await startService({}, dataDir)
    const ledger: Ledger = new Map()
    const unsure: Set<string> = new Set()
    const consumed: Set<string> = new Set()
    const load = [...Array.from({ length: 6 }, () => work(service, ledger, unsure)), spendTokens(service, consumed)]
    // Killed at some moment between two answers, on fast and slow machines.
    while (ledger.size <= round % 12) await pause(5)
    await pause((round * 37) % 60)
    await service.stop('SIGKILL')
    await Promise.all(load)
    const again = await startService({}, dataDir)
    await verify(again, ledger, unsure)
    for (const token of consumed) assert.is((await register(again, { redirect_uris }, token)).status, 401)
    acknowledged += ledger.size
    await again.stop()
  }
  assert.ok(acknowledged >= rounds)
  discard(dataDir)
})

crash.run()
