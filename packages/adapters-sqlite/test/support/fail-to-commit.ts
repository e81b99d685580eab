// Registers clients until the limit of the file's size makes a commit fail, and reports the result.
import { exampleClient, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { opened } from './temporary-store.js'

const fatal: Array<string> = []
const store = await opened(process.argv[2] ?? '', {
  onFatal: (reason) =>
    fatal.push(`fatal ${reason instanceof Error && 'code' in reason ? String(reason.code) : 'none'}`),
})
for (let index = 0; index < 1000 && fatal.length === 0; index += 1) {
  const outcome = await store.registry.addClient(addition(exampleClient(`client-${index}`)))()
  if (E.isLeft(outcome)) console.log(outcome.left.error, ...fatal)
}
process.exit(0)
