import * as t from 'io-ts'

const Entry = t.intersection([
  t.type({ time: t.string, level: t.string }),
  t.partial({ msg: t.string }),
  t.UnknownRecord,
])

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

// Control characters could change the text on a terminal.
const escapeControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

/** A JSON line of the log as one line for people. */
export const readableLine = (line: string): string => {
  const entry: unknown = JSON.parse(line)
  const { time, level, msg, ...members } = Entry.is(entry) ? entry : { time: '', level: '', msg: line }
  const details = Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`)
  const clock = time.slice(11, 23)
  return `${escapeControls([clock, level.toUpperCase().padEnd(5), msg ?? '', ...details].join(' '))}\n`
}
