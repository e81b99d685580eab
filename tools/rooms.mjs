// The rooms of a package, and the arrows between them: a room is a folder directly under src with all of its files, or
// a single file there. Front doors, which import from all rooms, are not rooms.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const isDoor = (room) => ['index.ts', 'fetch.ts', 'main.ts'].includes(room)
const roomOf = (src, file) => relative(src, file).split('/')[0]

const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)\.js'/g)].map(([, path]) =>
    resolve(dirname(file), `${path}.ts`),
  )

/** Each room with the rooms that it imports from, and an example file for each import. */
export const arrows = (src) => {
  const files = readdirSync(src, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, name))
  const found = new Map()
  for (const file of files) {
    const from = roomOf(src, file)
    for (const target of importsOf(file)) {
      const to = roomOf(src, target)
      if (from === to || isDoor(from) || isDoor(to)) continue
      const known = found.get(from) ?? new Map()
      found.set(from, known.set(to, known.get(to) ?? `${relative(src, file)} -> ${relative(src, target)}`))
    }
  }
  return found
}

/** The arrows by which a room reaches itself; none in a package without circles. */
export const arrowsBack = (src) => {
  const all = arrows(src)
  const reached = (room, seen = new Set()) => {
    for (const next of all.get(room)?.keys() ?? []) if (!seen.has(next)) reached(next, seen.add(next))
    return seen
  }
  return [...all].flatMap(([from, targets]) =>
    [...targets].filter(([to]) => reached(to).has(from)).map(([, example]) => example),
  )
}
