import type { Command as Parser } from 'commander'
import { bashCompletion } from './bash.js'
import { fishCompletion } from './fish.js'
import { placesOf } from './places.js'
import { zshCompletion } from './zsh.js'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

export type Shell = keyof typeof scripts
export const shells: ReadonlyArray<Shell> = ['bash', 'zsh', 'fish']

/** The script by which the shell completes the arguments of `clientele`. */
export const completionOf = (shell: Shell, program: Parser): string => scripts[shell](placesOf(program))
