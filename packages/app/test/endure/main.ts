// A part of `npm run nightly`, alone in this package:
// node --import tsx --conditions=@clientele/source test/endure/main.ts [--seconds 120] [--asynchronous]: prints the account; the exit code is 1 if a promise is broken.
// With --asynchronous, the standby is none that acknowledged writes wait for: the failover loses some.
import { parseArgs } from 'node:util'
import { accountOf } from './account.js'
import { endure } from './endure.js'

const { values } = parseArgs({ options: { seconds: { type: 'string' }, asynchronous: { type: 'boolean' } } })
const journal = await endure({ seconds: Number(values.seconds ?? 120), isSynchronous: values.asynchronous !== true })
const { text, isBroken } = accountOf(journal)
process.stdout.write(text)
process.exitCode = isBroken ? 1 : 0
