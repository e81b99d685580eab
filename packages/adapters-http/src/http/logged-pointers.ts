import { members } from '@clientele/domain/client'
import type { Fault } from '@clientele/domain/kernel'

const maxPointers = 8
// RFC 6901 §4: an array index
const index = /^(?:0|[1-9][0-9]{0,5})$/

const known = (name: string): string | undefined => {
  const base = name.replace(/#.*$/s, '')
  return Object.hasOwn(members, base) ? base : undefined
}

/** The pointer as far as its steps are members of client metadata and indices: other names are the client's choice. */
const loggedPointer = ({ pointer }: Fault): string => {
  const [, member = '', ...rest] = pointer.split('/')
  const name = known(member)
  if (name === undefined) return ''
  const end = rest.findIndex((step) => !index.test(step))
  return `/${[name, ...rest.slice(0, end === -1 ? rest.length : end)].join('/')}`
}

/** Where faults are, each place once, and the first places only: with nothing that the client chose. */
export const loggedPointers = (faults: ReadonlyArray<Fault>): ReadonlyArray<string> =>
  [...new Set(faults.map(loggedPointer))].slice(0, maxPointers)
