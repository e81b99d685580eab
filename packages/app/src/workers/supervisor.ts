import type { Metrics } from '../observing/metrics.js'

/** What an instance reports its start to, and is stopped by: the operator's terminal, or the primary of its worker. */
export type Supervisor = {
  /** Reports that the instance listens, with the text of its start. */
  readonly ready: (startText: string) => void
  /** Reports that the instance cannot start, in one line. */
  readonly refused: (line: string) => Promise<void>
  /** Settles when the instance has to stop. */
  readonly stopped: Promise<void>
  /** Registers what reads the settings again; of the processes that do, one records it in the audit log. */
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  /** Makes the other workers read the settings again. */
  readonly reloadOthers?: (() => void) | undefined
  /** The members of every entry of the log. */
  readonly logMembers: Readonly<Record<string, number>> | null
  /** The metrics of all workers, in place of those of one process. */
  readonly metrics?: Metrics | undefined
}
