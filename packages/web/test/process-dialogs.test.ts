import { logoutDialogsContract } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { processDialogs } from '../src/process-dialogs.js'
import { at, hashToken } from '../../adapters-http/test/support/in-memory-ports.js'

const dialogs = suite('dialogs that only this process opens')
for (const { name, run } of logoutDialogsContract('in memory', processDialogs)) dialogs(name, run)

dialogs('a dialog of another process does not open', async () => {
  const [one, other] = [processDialogs(() => at), processDialogs(() => at)]
  const id = hashToken('dialog')
  const value = await one.sealDialog({
    id,
    browser: id,
    session: { kind: 'nobody' },
    asked: undefined,
    expires_at: at,
  })()
  assert.ok(O.isSome(await one.openDialog(value)()))
  assert.equal(await other.openDialog(value)(), O.none)
})

dialogs.run()
