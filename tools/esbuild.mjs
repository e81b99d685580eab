// The compiler that tsx brings along, so that bundles need nothing else.
import { createRequire } from 'node:module'

const tools = createRequire(import.meta.url)

export const { build } = await import(createRequire(tools.resolve('tsx')).resolve('esbuild'))
