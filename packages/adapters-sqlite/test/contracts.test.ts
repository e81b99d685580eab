import { storeContract } from '@clientele/testing'
import { suite } from 'uvu'
import { webEncryptionWith } from './support/encryption.js'
import { openTwice, openTwiceWith } from './support/temporary-store.js'

const Store = suite('a store on SQLite, by two connections')
for (const { name, run } of storeContract('on SQLite', openTwice)) Store(name, run)
const elsewhere = openTwiceWith({ encryption: webEncryptionWith('the right key') })
for (const { name, run } of storeContract('on SQLite, encrypted on other threads', elsewhere)) Store(name, run)
Store.run()
