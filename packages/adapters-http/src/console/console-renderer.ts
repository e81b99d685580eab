// Renders the templates of the console, which are compiled at their first use.
import { auditActors, auditDoors } from '@clientele/domain/audit'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import nunjucks from 'nunjucks'
import { inlineStyle } from '../pages/page-renderer.js'
import type { RenderConsole } from '../ports.js'

// The path is the same from sources and from compiled files.
const directory = fileURLToPath(new URL('../../console', import.meta.url))

const shownAs =
  (text: (iso: string) => string) =>
  (seconds: unknown): string => {
    if (typeof seconds !== 'number') return ''
    const date = new Date(seconds * 1000)
    // A Date ends in the year 275760.
    return Number.isNaN(date.getTime()) ? String(seconds) : text(date.toISOString())
  }

/** Seconds since 1970 as people read them: the zone is always UTC. */
const timeText = shownAs((iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`)

const dayText = shownAs((iso) => iso.slice(0, 10))

export const createConsoleRenderer = (): RenderConsole => {
  const environment = new nunjucks.Environment(new nunjucks.FileSystemLoader(directory), {
    autoescape: true,
    trimBlocks: true,
    lstripBlocks: true,
  })
    .addGlobal('auditActors', auditActors)
    .addGlobal('auditDoors', auditDoors)
    .addFilter('time', timeText)
    .addFilter('day', dayText)
    .addFilter('inPath', (text: unknown) => encodeURIComponent(String(text)))
  let read: ReturnType<typeof inlineStyle> | undefined
  return (template, data) => {
    const { style, styleHash } = (read ??= inlineStyle(readFileSync(join(directory, 'style.css'), 'utf8')))
    return { html: environment.render(`${template}.njk`, { ...data, style }), styleHash }
  }
}
