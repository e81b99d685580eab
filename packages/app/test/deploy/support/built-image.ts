// The Dockerfile without Docker. The steps of its builder run on this machine, in a copy of its root; the last stage is a
// folder with what it copies. A container is a process in that folder, which is read-only, with another user and without a
// way to new rights.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Copy, Instruction } from 'dockerfile-ast'
import { root as repository } from '../../support/documented-commands.js'
import { run, runInCopyOfRoot } from './copied-root.js'
import { type Texts, contentOf, image, read, stages } from './deployed.js'

// The patterns of Dockerfile.dockerignore: a path below the root, or a name in any folder.
const isLeftOut = (path: string): boolean =>
  read('Dockerfile.dockerignore')
    .trim()
    .split('\n')
    .some((pattern) =>
      pattern.startsWith('**/') ? path.split('/').includes(pattern.slice(3)) : `${path}/`.startsWith(`${pattern}/`),
    )

const copyContext = (to: string): void =>
  cpSync(repository, to, { recursive: true, filter: (path) => !isLeftOut(relative(repository, path)) })

const flagOf = (instruction: Instruction, name: string): string | undefined =>
  (instruction as Copy)
    .getFlags()
    .find((flag) => flag.getName() === name)
    ?.getValue() ?? undefined

const namesOf = (instruction: Instruction): ReadonlyArray<string> => contentOf(instruction).split(/\s+/)

/** The steps as one script: each RUN in a shell of its own, at the WORKDIR before it. */
const scriptOf = (stage: ReadonlyArray<Instruction>, context: string): string => {
  const steps: Array<string> = ['set -eux']
  let place = '/'
  for (const step of stage.slice(1)) {
    const keyword = step.getKeyword()
    if (keyword === 'WORKDIR') {
      place = contentOf(step)
      steps.push(`mkdir -p ${place}`)
    } else if (keyword === 'COPY' && contentOf(step) === '. .') steps.push(`cp -a ${context}/. ${place}`)
    else if (keyword === 'RUN') steps.push(`( cd ${place}\n${contentOf(step)}\n)`)
    else throw new Error(`the test does not know ${keyword} ${contentOf(step)}`)
  }
  return steps.join('\n')
}

/** Runs the builder; what its steps wrote is in the folder that is returned. */
const runBuilder = (scratch: string): string => {
  const [builder = []] = stages()
  const context = join(scratch, 'context')
  mkdirSync(context)
  copyContext(context)
  return runInCopyOfRoot(scratch, scriptOf(builder, context)).written
}

/** Copies what the last stage copies from the builder, for the owner that it names. */
const assemble = (built: string, to: string): void => {
  for (const step of stages()
    .at(-1)
    ?.filter((each) => each.getKeyword() === 'COPY') ?? []) {
    const [source = '', target = ''] = namesOf(step)
    const owner = flagOf(step, 'chown') ?? '0:0'
    for (const name of readdirSync(join(built, source))) {
      mkdirSync(join(to, target), { recursive: true })
      run('cp', ['-a', join(built, source, name), join(to, target)])
      run('chown', ['--recursive', '--no-dereference', owner, join(to, target, name)])
    }
  }
}

export type BuiltImage = {
  readonly folder: string
  readonly bytes: number
  readonly remove: () => void
}

export const buildImage = (): BuiltImage => {
  const scratch = mkdtempSync(join(tmpdir(), 'clientele-image-'))
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  try {
    const folder = join(scratch, 'image')
    mkdirSync(folder)
    assemble(runBuilder(scratch), folder)
    const bytes = Number(run('du', ['--summarize', '--block-size=1', folder]).split('\t')[0])
    return { folder, bytes, remove }
  } catch (error) {
    remove()
    throw error
  }
}

export type Container = {
  /** Starts a command in the container, as `docker exec` does. */
  readonly start: (command: ReadonlyArray<string>, environment?: Texts) => ChildProcess
  readonly run: (command: ReadonlyArray<string>, environment?: Texts) => { status: number | null; output: string }
  readonly volume: (path: string) => string
}

/** Volumes, which Docker makes as copies of the folders of the image, and the rest of the image read-only. */
export const createContainer = ({ folder }: BuiltImage, volumes: ReadonlyArray<string>): Container => {
  const place = join(folder, '..')
  const volume = (path: string): string => join(place, `volume-${path.replaceAll('/', '-')}`)
  for (const path of volumes) if (!existsSync(volume(path))) run('cp', ['-a', join(folder, path), volume(path)])
  for (const name of ['dev', 'proc']) mkdirSync(join(folder, name), { recursive: true })
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    `mount -o remount,bind,ro ${folder}`,
    `mount --rbind /dev ${folder}/dev`,
    `mount -t proc proc ${folder}/proc`,
    `mount -t tmpfs tmpfs ${folder}/tmp`,
    ...volumes.map((path) => `mount --bind ${volume(path)} ${folder}${path}`),
    `exec setpriv --no-new-privs chroot --groups= --userspec=${image().user} ${folder} /usr/bin/env -i "$@"`,
  ]
  const argumentsOf = (command: ReadonlyArray<string>, environment: Texts): ReadonlyArray<string> => {
    const variables = Object.entries({ ...image().environment, ...environment }).map(
      ([name, text]) => `${name}=${text}`,
    )
    return ['--mount', 'sh', '-ec', mounts.join('\n'), 'sh', ...variables, ...command]
  }
  return {
    volume,
    start: (command, environment = {}) => spawn('unshare', argumentsOf(command, environment)),
    run: (command, environment = {}) => {
      const { status, stdout, stderr } = spawnSync('unshare', argumentsOf(command, environment), {
        encoding: 'utf8',
        timeout: 60_000,
      })
      return { status, output: stdout + stderr }
    },
  }
}
