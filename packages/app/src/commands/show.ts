import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExitStatus, Terminal } from './terminal.js'

/** Prints one line for the operator. */
export const refuse = ({ errors }: Terminal, message: string, status: ExitStatus): ExitStatus => {
  errors.write(`clientele: ${message}\n`)
  return status
}

/** Prints the result, or the refusal in one line. */
export const show = async <A>(
  terminal: Terminal,
  done: TE.TaskEither<string, A>,
  text: (answer: A) => string,
): Promise<ExitStatus> => {
  const answer = await done()
  if (E.isLeft(answer)) return refuse(terminal, answer.left, 1)
  terminal.output.write(`${text(answer.right)}\n`)
  return 0
}
