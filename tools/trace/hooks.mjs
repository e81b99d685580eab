// Loads the instrumented sources of the packages, without a build.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { instrument } from './instrument.mjs'

const root = new URL('../../', import.meta.url).href
const isSource = (url) => url.startsWith(`${root}packages/`) && url.includes('/src/')

/** TypeScript sources import each other as `./file.js`. */
export const resolve = (specifier, context, next) =>
  specifier.startsWith('.') && specifier.endsWith('.js') && isSource(context.parentURL ?? '')
    ? next(specifier.replace(/\.js$/, '.ts'), context)
    : next(specifier, context)

export const load = async (url, context, next) => {
  if (!isSource(url) || !url.endsWith('.ts')) return next(url, context)
  const source = instrument(url.slice(root.length), await readFile(fileURLToPath(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}
