// Bundles tests with their sources into one script, from an entry that imports them.
import { build } from 'esbuild'

export const joinTests = ({ folder, entry, ...options }) =>
  build({
    stdin: { contents: entry, resolveDir: folder },
    bundle: true,
    // The package declares its files free of side effects, which is wrong for tests.
    ignoreAnnotations: true,
    logLevel: 'error',
    ...options,
  })
