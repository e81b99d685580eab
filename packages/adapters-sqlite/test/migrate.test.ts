import Database from 'better-sqlite3'
import { noLimits, registryFull } from '@clientele/domain'
import { done, exampleClient, listed, refused } from '@clientele/domain/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder, opened } from './support/temporary-store.js'

const migrate = suite('migrate')

/** The schema as its first version made it, with what the present one holds of the same columns. */
const asFirstMade = (file: string): void => {
  const db = new Database(file)
  db.exec(`DROP TABLE key_rings; DROP TRIGGER count_added_client; DROP TRIGGER count_removed_client; DROP TABLE client_count;
    DROP INDEX clients_unused_open;
    ALTER TABLE clients DROP COLUMN used; ALTER TABLE clients DROP COLUMN registered_by;
    PRAGMA user_version = 1`)
  db.close()
}

migrate(
  'clients of the first version stay what they are, are counted, and count as registered by a token',
  inFolder(async (file) => {
    const before = opened(file)
    const clients = ['a', 'b', 'c'].map((id) => exampleClient(id))
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    await before.close()
    asFirstMade(file)
    const store = opened(file)
    assert.equal(await listed(store.registry), clients)
    const limits = { ...noLimits, clients: 3 }
    assert.equal(await refused(store.registry.addClient(exampleClient('d'), O.none, limits)), registryFull)
    await done(store.registry.addClient(exampleClient('d'), O.none, { ...noLimits, clients: 4 }))
    await store.close()
  }),
)

migrate.run()
