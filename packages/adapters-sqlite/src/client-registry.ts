import type { ClientRegistry, Encryption } from '@clientele/domain'
import { createFindClient, fromClientRow, streamClients, toClientRow } from '@clientele/stored-rows'
import { createAddClient } from './add-client.js'
import type { Connection } from './connection.js'
import { createImportClients } from './import-clients.js'
import { createRemoveClient } from './remove-client.js'
import { createReplaceClient } from './replace-client.js'
import { createSelectClients, createSelectPage } from './select-clients.js'

export const createClientRegistry = ({ db, read, queue }: Connection, encryption: Encryption): ClientRegistry => {
  const replace = createReplaceClient(db)
  const add = createAddClient(db)
  const toRow = toClientRow(encryption)
  const fromRow = fromClientRow(encryption)

  return {
    addClient: (client, consumedToken, limits) =>
      queue.writePrepared(toRow(client), (row) => add(row, consumedToken, limits)),
    ...createFindClient(createSelectClients(db, read), fromRow),
    streamClients: () => streamClients(createSelectPage(db, read), fromRow),
    replaceClient: (next, replacing) => queue.writePrepared(toRow(next), (row) => replace(row, replacing)),
    removeClient: createRemoveClient(db, queue),
    importClients: createImportClients(queue, encryption, { add, replace }),
  }
}
