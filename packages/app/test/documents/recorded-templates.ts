// The recorded clients as templates of the console: corpus/ is no part of a package, so that their bodies stand in a source.
import { corpus, registrable } from '../support/corpus.js'

/** Without those that a statement of an issuer describes: it is of one application, and has expired. */
const recorded = corpus.filter((entry) => registrable(entry)['software_statement'] === undefined)

export const recordedTemplates =
  (): string => `// Generated from corpus/ by npm run generate: what applications in use send at their registration.

/** The name and version of the application, and its metadata. */
export type RecordedClient = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly metadata: Readonly<Record<string, unknown>>
}

// prettier-ignore
export const recordedClients: ReadonlyArray<RecordedClient> = [
${recorded
  .map((entry) =>
    JSON.stringify({
      id: entry.file.replace(/\.json$/, ''),
      name: entry.client,
      version: entry.version,
      metadata: registrable(entry),
    }),
  )
  .map((line) => `  ${line},\n`)
  .join('')}]
`
