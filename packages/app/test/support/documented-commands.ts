// The commands of a document, run in a shell as they are written there.
import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

// Lines of code that begin with # are no headings.
const hidden = (code: string): string => '-'.repeat(code.length)

/** The Markdown files in a folder of the repository, and in the folders below it. */
export const markdownIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

/** The part of a page below this heading, up to the next heading that is not below it. */
export const partOf = (text: string, heading: string): string => {
  const [, below] = `\n${text}`.split(`\n${heading}\n`)
  if (below === undefined) throw new Error(`no ${heading}`)
  const next = new RegExp(`^#{1,${heading.indexOf(' ')}} `, 'm').exec(below.replace(/```[\s\S]*?```/g, hidden))
  return below.slice(0, next?.index)
}

const commandsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command.trim())

/** The commands of a page, or those of its parts with these headings. */
export const commandsIn = (file: string, headings?: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = readFileSync(join(root, file), 'utf8')
  return headings === undefined ? commandsOf(text) : headings.flatMap((heading) => commandsOf(partOf(text, heading)))
}

/** The command of the document that matches, as it is written. */
export const commandLike = (file: string, pattern: RegExp): string => {
  const command = commandsIn(file).find((each) => pattern.test(each))
  if (command === undefined) throw new Error(`${file} has no command like ${String(pattern)}`)
  return command
}

export type Started = {
  /** What the first group of the pattern matched. */
  readonly found: string
  readonly stop: () => Promise<void>
}

export type Place = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }

// A newcomer's shell has neither the settings of these tests nor the variables of the npm that runs them.
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CLIENTELE_|npm_|NODE_OPTIONS$)/.test(name)))

/** Starts the command, and waits until its output matches. */
export const startCommand = (command: string, ready: RegExp, { cwd = root, env = {} }: Place = {}): Promise<Started> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-ec', command], {
      cwd,
      env: { ...ownEnvironment(), ...env },
      // npm does not forward every signal, so that the whole process group receives it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<void>((done) => child.once('close', () => done()))
    const stop = async (): Promise<void> => {
      if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGTERM')
      await ended
    }
    let output = ''
    const look = (chunk: Buffer): void => {
      output += chunk.toString()
      const [, found] = ready.exec(output) ?? []
      if (found !== undefined) resolve({ found, stop })
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('close', () => reject(new Error(`${command}\n${output}`)))
  })

export const serviceReady = /^clientele ready (\S+)$/m
