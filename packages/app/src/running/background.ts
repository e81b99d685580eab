// What the service does by itself in the database, pass after pass: it removes unused clients, indexes the texts of new
// ones, counts refusals, links the audit log, and removes its old rows.
import { type KeyRotationScheduler, createCheckpointSigner, createJwsSigner } from '@clientele/adapters-jose'
import { linkOf } from '@clientele/domain/audit'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import {
  type SweepClientsPorts,
  announceRemovals,
  forgetAudit,
  linkAudit,
  sweepClients,
} from '@clientele/domain/operations'
import type {
  AuditLog,
  CheckpointSigner,
  ClientSearch,
  Clock,
  Hashing,
  Refusals,
  SecretUses,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { keySettings } from '../config/keys.js'
import { removedBefore } from '../config/life-cycle.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import { isoTime, removalsText } from '../text.js'
import type { Log } from '../observing/log.js'
import type { RefusalObserver } from '../observing/refusals.js'
import { type RepeatedPasses, createRepeatedPasses } from './passes.js'
import type { SecretUseObserver } from './secret-uses.js'

/** Passes of which the last one is made at their end, for what came since the one before. */
const withLastPass: (...given: Parameters<typeof createRepeatedPasses>) => RepeatedPasses = (first, pass) => {
  const { start, stop } = createRepeatedPasses(first, pass)
  return {
    start,
    stop: async () => {
      await stop()
      await pass(() => true)
    },
  }
}

// Milliseconds.
const waitAfterFailure = 60_000

// Passes of several instances at the same time park and remove each client once.
const sweepInterval = 300_000
const pauseBetweenBatches = 200

/** Parks and removes unused clients of open registration, and removes clients without an approval: docs/operate/year.md#life-cycle-of-a-client. */
const createClientSweeper = (ports: SweepClientsPorts, log: Log): RepeatedPasses => {
  const told: { day: EpochSeconds | undefined } = { day: undefined }
  /** After the start, and each day anew. */
  const announce = async (): Promise<void> => {
    const today = useTime(ports.now())
    if (told.day === today) return
    const announced = await announceRemovals(ports)()
    // The next pass asks anew.
    if (E.isLeft(announced)) return
    told.day = today
    const { clients, first_at } = announced.right
    if (first_at !== undefined) log.warn({ clients, first_at: isoTime(first_at) }, removalsText(announced.right))
  }
  return createRepeatedPasses(pauseBetweenBatches, async (isStopping) => {
    const swept = await sweepClients(ports)().catch((detail: unknown) => E.left({ detail }))
    if (E.isLeft(swept)) {
      if (!isStopping())
        log.error({ detail: swept.left.detail }, 'unused clients could not be removed; it is tried again')
      return waitAfterFailure
    }
    const { parked, removed, more } = swept.right
    if (removed > 0)
      log.warn(
        { parked, removed },
        'unused clients, or clients without an approval, were removed: clientele clients restore brings one back',
      )
    else if (parked > 0) log.info({ parked }, 'unused clients of open registration were parked')
    if (!more) await announce()
    return more ? pauseBetweenBatches : sweepInterval
  })
}

// Milliseconds. In a batch of a hundred, SQLite answers nothing else.
const indexInterval = 5_000
const batch = 100

/**
 * The pause after a batch: requests come first. The index takes a quarter of the time while the process has nothing else to do,
 * and a tenth of it while it is busy: `busy` is the share of the time between two batches in which it worked, from 0 to 1.
 */
export const pauseAfter = (took: number, busy: number): number => took * (3 + 6 * busy)

/**
 * Makes the texts of new and changed clients ready for fast search: docs/operate/operators.md#managing-clients. Search finds all clients without
 * it, and takes longer.
 */
const createTextIndexer = ({ indexTexts }: ClientSearch, log: Log): RepeatedPasses => {
  let paused = performance.eventLoopUtilization()
  return createRepeatedPasses(indexInterval, async (isStopping) => {
    const busy = performance.eventLoopUtilization(paused).utilization
    const began = performance.now()
    const indexed = await indexTexts(batch)().catch((detail: unknown) => E.left({ detail }))
    paused = performance.eventLoopUtilization()
    if (E.isRight(indexed)) return indexed.right === batch ? pauseAfter(performance.now() - began, busy) : indexInterval
    if (!isStopping())
      log.error({ detail: indexed.left.detail }, 'texts of clients could not be indexed; it is tried again')
    return waitAfterFailure
  })
}

export type AuditLinkerOptions = {
  readonly ports: AuditLog & CheckpointSigner & Clock & Hashing
  /** The time before which rows are removed. */
  readonly removedBefore: () => EpochSeconds
  readonly log: Log
}

// Milliseconds.
const linkInterval = 3_000
const pauseBetweenCheckpoints = 20
/** The number of failures in a row of which one is logged: each minute, as long as they last. */
const failuresOfLog = 20

/**
 * Lists new rows of the audit log in signed checkpoints, and removes old ones: docs/operate/operators.md#audit-log. Its end links what is there.
 */
export const createAuditLinker = ({ ports, removedBefore, log }: AuditLinkerOptions): RepeatedPasses => {
  const state = {
    /** The number of the last checkpoint whose rows this process removed. */
    forgotten: 0,
    /** The number of passes that failed since one succeeded. */
    failures: 0,
  }
  const pass = async (isStopping: () => boolean): Promise<number> => {
    const failed = (what: string, detail: unknown): number => {
      if (!isStopping() && state.failures % failuresOfLog === 0)
        log.error({ detail }, `${what}; it is tried again every few seconds`)
      state.failures += 1
      return linkInterval
    }
    const linked = await linkAudit(ports)().catch((detail: unknown) => E.left({ detail }))
    if (E.isLeft(linked)) return failed('no checkpoint of the audit log could be made', linked.left.detail)
    const { checkpoint, more } = linked.right
    if (checkpoint !== undefined)
      log.info(
        { checkpoint: checkpoint.number, digest: linkOf(ports.hashToken, checkpoint) },
        'a checkpoint of the audit log',
      )
    const removed = await forgetAudit(ports, removedBefore(), state.forgotten)().catch((detail: unknown) =>
      E.left({ detail }),
    )
    if (E.isLeft(removed)) return failed('old rows of the audit log could not be removed', removed.left.detail)
    state.forgotten = removed.right ?? state.forgotten
    if (state.failures > 0) log.info({ failures: state.failures }, 'checkpoints of the audit log are made again')
    state.failures = 0
    return more ? pauseBetweenCheckpoints : linkInterval
  }
  // The first one at once: rows may wait since the last process ended.
  return withLastPass(0, pass)
}

// Milliseconds.
const writeInterval = 3_000

/** Writes what was refused: docs/operate/observe.md. */
const createRefusalWriter = (
  { take }: Pick<RefusalObserver, 'take'>,
  { recordRefusals, now }: Refusals & Clock,
  log: Log,
): RepeatedPasses =>
  withLastPass(writeInterval, async () => {
    const observed = take()
    if (observed === undefined) return writeInterval
    const written = await recordRefusals(observed, now())().catch((detail: unknown) => E.left({ detail }))
    if (E.isRight(written)) return writeInterval
    log.error({ detail: written.left.detail }, 'what was refused lately could not be counted; later refusals are')
    return waitAfterFailure
  })

/** Writes by which client_secret clients authenticated for the first time on this day: docs/use/register.md. */
export const createSecretUseWriter = (
  { take, giveBack }: Pick<SecretUseObserver, 'take' | 'giveBack'>,
  { recordSecretUses }: SecretUses,
  log: Log,
): RepeatedPasses =>
  withLastPass(writeInterval, async () => {
    for (let uses = take(); uses.length > 0; uses = take()) {
      const written = await recordSecretUses(uses)().catch((detail: unknown) => E.left({ detail }))
      if (E.isRight(written)) continue
      giveBack(uses)
      log.error({ detail: written.left.detail }, 'last uses of client_secrets were not recorded yet')
      return waitAfterFailure
    }
    return writeInterval
  })

export type BackgroundOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly rotation: KeyRotationScheduler
  readonly refusals: RefusalObserver
  readonly secretUses: SecretUseObserver
  readonly log: Log
}

/** What a checkpoint of the audit log is made with: the key of the first algorithm that the settings name signs it. */
export const auditLinkPorts = ({
  config,
  data: { store, generator, hashToken },
  rotation,
}: {
  readonly config: Config
  readonly data: OpenedData
  readonly rotation: Pick<KeyRotationScheduler, 'keyRings' | 'lastRead' | 'refreshKeys'>
}): AuditLinkerOptions['ports'] => {
  const [alg = 'RS256'] = config['signing-algorithms']
  const signer = createCheckpointSigner(createJwsSigner(keySettings(config).policy, rotation), alg)
  return { ...store.auditLog, ...signer, now: generator.now, hashToken }
}

/** It is stopped after the last request, and while there are keys to sign with. */
export const createBackground = ({
  config,
  data,
  rotation,
  refusals,
  secretUses,
  log,
}: BackgroundOptions): RepeatedPasses => {
  const { store, generator, operations } = data
  const passes = [
    createClientSweeper({ ...operations, recordsUses: config.engine !== 'none' }, log),
    createTextIndexer(store.clientSearch, log),
    createRefusalWriter(refusals, operations, log),
    createSecretUseWriter(secretUses, operations, log),
  ]
  const linker = createAuditLinker({
    ports: auditLinkPorts({ config, data, rotation }),
    removedBefore: () => removedBefore(config, generator.now()),
    log,
  })
  return {
    start: () => {
      for (const { start } of [...passes, linker]) start()
    },
    stop: async () => {
      await Promise.all(passes.map(({ stop }) => stop()))
      await linker.stop()
    },
  }
}
