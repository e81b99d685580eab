import Database from 'better-sqlite3'
import { done, exampleClient, listed, addition } from '@clientele/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusalOfReadOnly } from '../src/failures.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'
import { encryptionWith } from './support/encryption.js'

const lock = suite('lockService')

const holder = fileURLToPath(new URL('support/hold-store.ts', import.meta.url))

/** Another process that has the store open, and has registered a client in it. */
const otherService = async (file: string): Promise<{ readonly kill: () => Promise<void> }> => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=@clientele/source', holder, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  assert.is(line, 'held')
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

lock(
  'a second service on the same file is refused while the first holds it, by the name of the file',
  inFolder(async (file) => {
    const first = await opened(file)
    const refusal = await refusalOf(file)
    assert.is(refusal.refusal, 'in-use')
    assert.match(refusal.message, file)
    await done(first.registry.addClient(addition(exampleClient('a'))))
    await first.close()
    const second = await opened(file)
    assert.equal(await listed(second.registry), [exampleClient('a')])
    await second.close()
  }),
)

lock(
  'a service in another process holds the file until it ends, also by kill -9, and what it answered is there',
  inFolder(async (file) => {
    const other = await otherService(file)
    try {
      assert.is((await refusalOf(file)).refusal, 'in-use')
    } finally {
      await other.kill()
    }
    const store = await opened(file, { expectExisting: true })
    assert.equal(await listed(store.registry), [exampleClient('from-the-other')])
    await store.close()
  }),
)

lock(
  'what belongs to the service that has locked the file is told to it alone',
  inFolder(async (file) => {
    const locked: Array<string> = []
    for (const shared of [true, false]) {
      const onLocked = (): void => void locked.push(shared ? 'shared' : 'alone')
      await (await opened(file, { shared, onLocked })).close()
    }
    assert.equal(locked, ['alone'])
  }),
)

lock(
  'a store that is refused is not held',
  inFolder(async (file) => {
    const first = await opened(file)
    await first.close()
    assert.is((await refusalOf(file, { encryption: encryptionWith('another key') })).refusal, 'wrong-encryption-key')
    await (await opened(file)).close()
  }),
)

lock(
  'while the service holds the file others read it, and an online backup of it opens as a store',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    const clients = Array.from({ length: 20 }, (_, index) => exampleClient(`client-${index}`))
    for (const client of clients) await done(store.registry.addClient(addition(client)))
    const reader = new Database(file, { readonly: true })
    assert.is(reader.prepare('SELECT count(*) FROM clients').pluck().get(), 20)
    const backup = reader.backup(`${folder}/backup.db`)
    await done(store.registry.addClient(addition(exampleClient('meanwhile'))))
    await backup
    reader.close()
    await store.close()
    const restored = await opened(`${folder}/backup.db`, { expectExisting: true })
    assert.is(restored.digestKey, store.digestKey)
    assert.equal((await listed(restored.registry)).slice(0, 20), clients)
    await restored.close()
  }),
)

lock('a read-only file system is one sentence, with the remedy', () => {
  const error = Object.assign(new Error('EROFS: read-only file system, chmod'), { code: 'EROFS' })
  assert.match(refusalOfReadOnly('/data/clientele.db', error)?.message ?? '', 'mount its file system for writing')
  assert.is(refusalOfReadOnly('/data/clientele.db', new Error('another fault')), undefined)
})

lock.run()
