import type { Privileges } from '@clientele/domain/authorization'
import { printable } from '../text.js'

/** The parts of a set of privileges: lists with their values, the others by name. */
export const privilegeTexts = (privileges: Privileges): ReadonlyArray<string> =>
  Object.entries<Privileges[keyof Privileges]>(privileges).flatMap(([name, part]) => {
    if (typeof part === 'boolean') return part ? [name] : []
    if (part === 'any') return [`${name}: any`]
    return part.length > 0 ? [printable(`${name}: ${part.join(' ')}`)] : []
  })
