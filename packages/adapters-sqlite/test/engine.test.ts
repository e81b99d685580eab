import { suite } from 'uvu'
import { engineContract } from '../../adapters-sql/test/engine-contract.js'
import { openedLayers } from './support/opened-layers.js'
import { inFolder } from './support/temporary-store.js'

const engine = suite('verbs on SQLite')

for (const { name, run } of engineContract)
  engine(
    name,
    inFolder(async (file) => {
      const one = await openedLayers(file)
      const other = await openedLayers(file)
      const close = (): Promise<void> => {
        one.db.close()
        other.db.close()
        return Promise.resolve()
      }
      await run({ one, other }).finally(close)
    }),
  )

engine.run()
