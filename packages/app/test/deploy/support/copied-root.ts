// A copy of the root of this machine, which an overlay makes: commands change it as if they changed the machine.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const tried = `
D=$(mktemp -d)
mkdir $D/upper $D/work $D/merged
mount -t overlay overlay -o lowerdir=/,upperdir=$D/upper,workdir=$D/work $D/merged
setpriv --no-new-privs chroot $D/merged true
umount $D/merged
rm -r $D`

/** Root can mount an overlay of the root, which it cannot in each container. */
export const canCopyRoot =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'sh', '-ec', tried]).status === 0

/** Fails unless the command succeeds; returns its output. */
export const run = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): string => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env,
    timeout: 400_000,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
  return stdout
}

// What npm tells the programs that it runs is not there in a shell of the copy.
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:CLIENTELE_|npm_(?!config_)|NODE_OPTIONS$)/.test(name)),
  )

const overlay = (lower: string, scratch: string, at: string): string => {
  for (const name of ['upper', 'work']) mkdirSync(join(scratch, name), { recursive: true })
  return `mount -t overlay overlay -o lowerdir=${lower},upperdir=${scratch}/upper,workdir=${scratch}/work ${at}`
}

export type InCopy = {
  /** The folder with what the script wrote. */
  readonly written: string
  readonly output: string
}

/** Runs the script in a copy of the root. A folder in which it writes may lie on another disk. What it started ends with it. */
export const runInCopyOfRoot = (scratch: string, script: string, folders: ReadonlyArray<string> = []): InCopy => {
  const merged = join(scratch, 'merged')
  mkdirSync(merged)
  const steps = join(scratch, 'steps.sh')
  writeFileSync(steps, script)
  const mounts = [
    overlay('/', scratch, merged),
    ...folders.map((folder, index) => overlay(folder, join(scratch, `folder-${index}`), `${merged}${folder}`)),
    ...['dev', 'sys'].map((name) => `mount --rbind /${name} ${merged}/${name}`),
    `mount -t proc proc ${merged}/proc`,
    `exec chroot ${merged} sh ${steps}`,
  ]
  const output = run(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', mounts.join('\n')],
    ownEnvironment(),
  )
  return { written: join(scratch, 'upper'), output }
}
