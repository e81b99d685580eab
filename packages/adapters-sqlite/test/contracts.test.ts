import { storeContract } from '@clientele/testing'
import { suite } from 'uvu'
import { openTwice } from './support/temporary-store.js'

const Store = suite('a store on SQLite, by two connections')
for (const { name, run } of storeContract('on SQLite', openTwice)) Store(name, run)
Store.run()
