// Has a store open until it is killed, with a registered client. Nothing references the store, and garbage is
// collected.
import { done, exampleClient } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { opened } from './temporary-store.js'
import { noLimits } from '@clientele/domain/ports'

const hold = async (): Promise<unknown> => {
  const { registry } = await opened(process.argv[2] ?? '')
  return done(registry.addClient(exampleClient('from-the-other'), O.none, noLimits))
}

await hold()
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
for (let round = 0; round < 3; round += 1) {
  collectGarbage()
  await new Promise((resolve) => setTimeout(resolve, 20))
}
process.stdout.write('held\n')
process.stdin.resume()
