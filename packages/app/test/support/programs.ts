import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { markdownIn, root } from './documented-commands.js'

/** The README of each package. */
export const packageReadmes = readdirSync(join(root, 'packages'))
  .map((name) => `packages/${name}/README.md`)
  .filter((file) => existsSync(join(root, file)))

/** Documents whose programs are run; the test of docs/reuse/test-your-rules.md is beside the kit. */
export const documents: ReadonlyArray<string> = [
  'README.md',
  ...markdownIn('docs').filter((file) => file !== 'docs/reuse/test-your-rules.md'),
  ...packageReadmes,
]

export type Program = {
  readonly file: string
  /** The folder of the first package that it imports. */
  readonly folder: string
  readonly text: string
  /** The expected output in the document. */
  readonly output: string | undefined
}

const firstPackage = (text: string): string => /from '@clientele\/([a-z-]+)/.exec(text)?.[1] ?? ''

export const programsIn = (file: string): ReadonlyArray<Program> =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```js\n([\s\S]*?)```(?:\n\n```\n([\s\S]*?)```)?/g)].map(
    ([, text = '', output]) => ({ file, folder: join(root, 'packages', firstPackage(text)), text, output }),
  )
