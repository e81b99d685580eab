import type { Stats } from 'node:fs'
import { geteuid } from 'node:process'

// On Windows, files have neither a numeric owner nor a mode.
const hasOwners = geteuid !== undefined

/** Whether the user of this process, or root, owns the file; files of other users are not trusted. */
export const isOurs = ({ uid }: Pick<Stats, 'uid'>): boolean => geteuid === undefined || uid === geteuid() || uid === 0

/** Whether the mode grants any of the bits to the group or to others. */
export const gives = ({ mode }: Pick<Stats, 'mode'>, bits: number): boolean => hasOwners && (mode & bits & 0o077) !== 0
