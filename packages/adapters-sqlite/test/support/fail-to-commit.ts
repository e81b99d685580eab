// Registers clients until the limit of the file's size makes a commit fail, and reports the result.
import { exampleClient } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { opened } from './temporary-store.js'
import { noLimits } from '@clientele/domain/ports'

const fatal: Array<string> = []
const store = await opened(process.argv[2] ?? '', {
  onFatal: (reason) =>
    fatal.push(`fatal ${reason instanceof Error && 'code' in reason ? String(reason.code) : 'none'}`),
})
for (let index = 0; index < 1000 && fatal.length === 0; index += 1) {
  const outcome = await store.registry.addClient(exampleClient(`client-${index}`), O.none, noLimits)()
  if (E.isLeft(outcome)) console.log(outcome.left.error, ...fatal)
}
process.exit(0)
