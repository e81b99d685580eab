import type { Stats } from 'node:fs'
import { geteuid } from 'node:process'

// Because on Windows a file has neither an owner by number nor a mode that says who may use it.
const hasOwners = geteuid !== undefined

/** Whether the user of this process, or root, owns the file; nobody else's files are trusted. */
export const isOurs = ({ uid }: Pick<Stats, 'uid'>): boolean => geteuid === undefined || uid === geteuid() || uid === 0

/** Whether the mode gives any of the bits to the group or to others. */
export const gives = ({ mode }: Pick<Stats, 'mode'>, bits: number): boolean => hasOwners && (mode & bits & 0o077) !== 0
