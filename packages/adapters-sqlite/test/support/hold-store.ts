// Holds a store until it is killed, with a client registered in it.
import { done, exampleClient } from '@clientele/domain/testing'
import * as O from 'fp-ts/lib/Option.js'
import { opened } from './temporary-store.js'
import { noLimits } from '@clientele/domain'

const store = opened(process.argv[2] ?? '')
await done(store.registry.addClient(exampleClient('from-the-other'), O.none, noLimits))
process.stdout.write('held\n')
process.stdin.resume()
