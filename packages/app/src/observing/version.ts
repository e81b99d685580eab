import { readFileSync } from 'node:fs'
import * as t from 'io-ts'

const Package = t.type({ version: t.string })

const read: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The version of the product. */
export const version: string = Package.is(read) ? read.version : 'unknown'
