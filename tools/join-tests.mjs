// Joins tests and what they test in one script, made of an entry that imports them.
import { build } from 'esbuild'

export const joinTests = ({ folder, entry, ...options }) =>
  build({
    stdin: { contents: entry, resolveDir: folder },
    bundle: true,
    // The package says that its files have no side effects, which is not so for its tests.
    ignoreAnnotations: true,
    logLevel: 'error',
    ...options,
  })
