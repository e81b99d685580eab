import { readFileSync } from 'node:fs'

/**
 * The text of a file in docs/. Where there are no files, tools/runtimes/bundle.mjs inserts the texts in place of this.
 */
export const committed = (name: string): string =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
