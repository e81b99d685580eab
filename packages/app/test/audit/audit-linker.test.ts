// Rows of the audit log are in a checkpoint some seconds after the store is there again.
import { inMemoryStore } from '@clientele/adapters-memory'
import { auditRow } from '@clientele/domain/audit'
import { secondsAfter, unavailable } from '@clientele/domain/kernel'
import type { AuditLog } from '@clientele/domain/ports'
import { done, exampleHash, exampleTime } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAuditLinker } from '../../src/running/background.js'
import { createLog } from '../../src/observing/log.js'

const Linker = suite('checkpoints of the audit log')

const linkerOn = (auditLog: AuditLog, lines: Array<string>) =>
  createAuditLinker({
    ports: {
      ...auditLog,
      now: () => exampleTime,
      hashToken: () => exampleHash('digest'),
      signCheckpoint: ({ number }) => TE.right(`jws-${number}`),
      isByPresentKey: () => true,
    },
    removedBefore: () => secondsAfter(exampleTime, -100),
    log: createLog('info', { write: (line: string) => void lines.push(line), writableLength: 0 }),
  })

Linker('go on within seconds after a failure, which is logged once', async () => {
  const { auditLog } = inMemoryStore()
  const row = auditRow(
    () => exampleHash('mac'),
    () => '',
  )({
    at: exampleTime,
    action: 'client_updated',
    actor: { kind: 'master', fingerprint: '' },
    origin: { door: 'http', request_id: '1' },
    members: [],
  })
  await done(auditLog.addAuditRow(row))
  const lines: Array<string> = []
  const full = { lasts: true }
  const addCheckpoint: AuditLog['addCheckpoint'] = (...given) =>
    full.lasts ? TE.left(unavailable('database or disk is full')) : auditLog.addCheckpoint(...given)
  const linker = linkerOn({ ...auditLog, addCheckpoint }, lines)
  linker.start()
  await setTimeout(3_500)
  full.lasts = false
  await setTimeout(3_500)
  assert.is(O.isSome(await done(auditLog.lastCheckpoint)), true)
  await linker.stop()
  assert.equal(
    lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg),
    [
      'no checkpoint of the audit log could be made; it is tried again every few seconds',
      'a checkpoint of the audit log',
      'checkpoints of the audit log are made again',
    ],
  )
})

Linker('tell why old rows could not be removed', async () => {
  const { auditLog } = inMemoryStore()
  const lines: Array<string> = []
  const checkpointsAfter = () => TE.left(unavailable(new Error('disk I/O error')))
  const linker = linkerOn({ ...auditLog, checkpointsAfter }, lines)
  linker.start()
  await setTimeout(100)
  await linker.stop()
  assert.match(
    lines[0] ?? '',
    /"message":"disk I\/O error".*old rows of the audit log could not be removed; it is tried/,
  )
})

Linker.run()
