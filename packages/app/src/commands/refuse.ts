import type { ExitStatus, Terminal } from './terminal.js'

/** One line for the operator. */
export const refuse = ({ errors }: Terminal, message: string, status: ExitStatus): ExitStatus => {
  errors.write(`clientele: ${message}\n`)
  return status
}
