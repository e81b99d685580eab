import type { Output } from '../observing/log.js'

/** The process of a command. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly output: Output
  readonly errors: Output
  /** Asks the operator for a line; an empty one without an answer. */
  readonly ask: (question: string) => Promise<string>
  /** The same, for a secret: a terminal does not show what is typed. */
  readonly askSecret: (question: string) => Promise<string>
  /** Settles when the process receives a signal to stop. */
  readonly stopped: Promise<void>
  /** Registers the handler of the signal to read the settings again. */
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  /** Registers the handler of uncaught defects. */
  readonly onDefect: (report: (error: unknown) => void) => void
  readonly exit: (status: number) => void
}

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitStatus = 0 | 1 | 2

export type Outcome = ExitStatus | Promise<ExitStatus>
