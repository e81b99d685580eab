const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

// Control characters could rewrite what a terminal already shows.
const escapeControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1))

/** A JSON line of the log as one line for people. */
export const readableLine = (line: string): string => {
  const entry: Readonly<Record<string, unknown>> = JSON.parse(line)
  const { time, level, msg, ...members } = entry
  const details = Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`)
  const clock = String(time).slice(11, 23)
  return `${escapeControls([clock, String(level).toUpperCase().padEnd(5), msg ?? '', ...details].join(' '))}\n`
}
