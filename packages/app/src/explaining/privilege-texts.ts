import type { Privileges } from '@clientele/domain'
import { printable } from '../observing/printable.js'

/** What a value of the lattice holds, part by part: lists with their values, and the others by their names. */
export const privilegeTexts = (privileges: Privileges): ReadonlyArray<string> =>
  Object.entries<Privileges[keyof Privileges]>(privileges).flatMap(([name, part]) => {
    if (typeof part === 'boolean') return part ? [name] : []
    if (part === 'any') return [`${name}: any`]
    return part.length > 0 ? [printable(`${name}: ${part.join(' ')}`)] : []
  })
