// node bench/fill.mjs DATA_DIR COUNT FILE EVERY: registers clients by the service's decision and store, without HTTP. A
// service that starts on DATA_DIR has them, their texts are indexed, and checkpoints list their audit rows: beside requests,
// this takes the service minutes. FILE gets client_id and token of every EVERYth client.
import { createWriteStream } from 'node:fs'
import { loadConfig, readFile } from '../packages/app/dist/index.js'
import { registrationSettings } from '../packages/app/dist/config/registration.js'
import { auditLinkPorts } from '../packages/app/dist/running/background.js'
import { keyPorts } from '../packages/app/dist/running/key-rotation.js'
import { keySettings } from '../packages/app/dist/config/keys.js'
import { openData } from '../packages/app/dist/data/open-data.js'
import { createKeyRotationScheduler } from '../packages/adapters-jose/dist/index.js'
import { linkAudit, registerClient } from '../packages/domain/dist/operations/index.js'
import { metadata } from './requests.mjs'

const [directory, count, file, every] = process.argv.slice(2)
const together = 500
const indexedTogether = 1_000

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
  return result.right
}

const flags = { 'data-dir': directory, 'allow-open-registration': 'true' }
const { config } = orThrow(loadConfig({ flags, environment: {}, readFile }))
const onFatal = (error) => {
  throw error
}
const data = orThrow(await openData(config, { onFatal, expectExisting: false })())
const { store } = data
// The service refuses to start with clients and no keys.
const rotation = createKeyRotationScheduler({ settings: keySettings(config), ports: keyPorts(data) })
orThrow(await rotation.reconcile())
const register = registerClient(registrationSettings(config, 'http://127.0.0.1'), data.operations)
const origin = { door: 'service', request_id: '' }
const caller = { by: 'nobody', credential: { kind: 'none' } }
const add = async (number) => {
  // Parsed JSON, as from a request.
  const right = JSON.parse(JSON.stringify(metadata(number)))
  return orThrow(await register({ caller, origin, body: { _tag: 'Right', right } })())
}

const lines = createWriteStream(file)
for (let done = 0; done < count; done += together) {
  const numbers = Array.from({ length: Math.min(together, count - done) }, (_, index) => done + index)
  for (const [index, { body: client }] of (await Promise.all(numbers.map(add))).entries())
    if ((done + index) % every === 0) lines.write(`${client.client_id} ${client.registration_access_token}\n`)
  if (done % 100_000 === 0 && done > 0) console.error(`  ${done.toLocaleString('en')} clients`)
}
while (orThrow(await store.clientSearch.indexTexts(indexedTogether)()) > 0);
const linking = linkAudit(auditLinkPorts({ config, data, rotation }))
while (orThrow(await linking()).more);
await rotation.stop()
await store.close()
lines.end()
