// Has a store open until it is killed, with a registered client. Nothing references the store, and garbage is
// collected.
import { done, exampleClient, addition } from '@clientele/testing'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { opened } from './temporary-store.js'

const hold = async (): Promise<unknown> => {
  const { registry } = await opened(process.argv[2] ?? '')
  return done(registry.addClient(addition(exampleClient('from-the-other'))))
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
