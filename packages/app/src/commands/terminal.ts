import type { Output } from '../observing/log.js'

/** What a command needs of its process. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly output: Output
  readonly errors: Output
  /** Asks whoever started the process for a line; an empty one when nobody answers. */
  readonly ask: (question: string) => Promise<string>
  /** Settles when the process is told to stop. */
  readonly stopped: Promise<void>
  /** Says what to do with a defect that nothing caught. */
  readonly onDefect: (report: (error: unknown) => void) => void
  readonly exit: (status: number) => void
}

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitStatus = 0 | 1 | 2

export type Outcome = ExitStatus | Promise<ExitStatus>
