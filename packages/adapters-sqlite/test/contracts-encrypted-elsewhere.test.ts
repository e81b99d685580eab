// The same contracts where values are sealed on other threads, so that each seal is waited for.
import { storeContract } from '@clientele/testing'
import { suite } from 'uvu'
import { webEncryptionWith } from './support/encryption.js'
import { openTwiceWith } from './support/temporary-store.js'

const Store = suite('a store on SQLite, encrypted on other threads')
const elsewhere = openTwiceWith({ encryption: webEncryptionWith('the right key') })
for (const { name, run } of storeContract('on SQLite, encrypted on other threads', elsewhere)) Store(name, run)
Store.run()
