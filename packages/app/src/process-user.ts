import type { Stats } from 'node:fs'
import { getuid } from 'node:process'

/** Whether the user of this process, or root, owns the file; nobody else's files are trusted. */
export const isOurs = ({ uid }: Pick<Stats, 'uid'>): boolean => getuid === undefined || uid === getuid() || uid === 0
