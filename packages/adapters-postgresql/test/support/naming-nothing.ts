// Authorizations whose verbs name nothing, so that what they decide about ends beside them.
import { type Engine, storeOn } from '@clientele/adapters-sql'
import type { ClientAuthorizations } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout } from 'node:timers/promises'
import { createDatabase } from '../../src/database.js'
import { encryptionWith, optionsOf } from './temporary-store.js'

export type NamingNothing = {
  readonly authorizations: ClientAuthorizations
  readonly close: () => Promise<void>
}

export const namingNothing = (url: string): NamingNothing => {
  const db = createDatabase(optionsOf(url))
  const write: Engine['write'] = (made) =>
    db.write(
      pipe(
        made,
        TE.map(({ run }) => ({
          names: {},
          // There is time for another one between what it reads and what it writes.
          run: (tx) =>
            run({
              ...tx,
              run: async (statement, values) => {
                await setTimeout(10)
                return tx.run(statement, values)
              },
            }),
        })),
      ),
    )
  return {
    authorizations: storeOn({ ...db, write }, encryptionWith('the right key'), '').authorizations,
    close: db.close,
  }
}
