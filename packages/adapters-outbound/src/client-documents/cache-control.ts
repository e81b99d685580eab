// RFC 9111 §5.2: Cache-Control. Malformed parts are ignored, and no text is refused.

/** The values of each directive, in lower case by name; '' stands for none. */
export type Directives = ReadonlyMap<string, ReadonlyArray<string>>

// RFC 9110 §5.6.1, §5.6.4: commas within a quoted string separate nothing.
const betweenCommas = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

const unquoted = (value: string): string => /^"(.*)"$/s.exec(value)?.[1]?.replace(/\\(.)/gs, '$1') ?? value

const directiveIn = (part: string): readonly [string, string] => {
  const [name = '', ...rest] = part.split('=')
  return [name.trim().toLowerCase(), unquoted(rest.join('=').trim())]
}

export const cacheDirectives = (text: string): Directives => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of (text.match(betweenCommas) ?? []).map(directiveIn)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}
