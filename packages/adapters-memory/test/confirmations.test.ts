import { logoutConfirmationsContract } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { LogoutConfirmations } from '@clientele/domain/ports'
import { inMemoryPorts, webCredentialGenerator } from '../src/host.js'
import { at, hashToken } from '../../adapters-http/test/support/in-memory-ports.js'

const processConfirmations = (now: () => EpochSeconds): LogoutConfirmations =>
  inMemoryPorts({
    renderPage: () => ({ html: '', styleHash: '' }),
    generator: { ...webCredentialGenerator, now },
  }).service

const confirmations = suite('dialogs that only this process opens')
for (const { name, run } of logoutConfirmationsContract('in memory', processConfirmations)) confirmations(name, run)

confirmations('a dialog of another process does not open', async () => {
  const one = processConfirmations(() => at)
  const other = processConfirmations(() => at)
  const id = hashToken('dialog')
  const value = await one.sealConfirmation({
    id,
    browser: id,
    session: { kind: 'nobody' },
    requested: undefined,
    expires_at: at,
  })()
  assert.ok(O.isSome(await one.openConfirmation(value)()))
  assert.equal(await other.openConfirmation(value)(), O.none)
})

confirmations.run()
