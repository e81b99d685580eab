// npm run generate: regenerates everything that is made from the sources. Each step is a script of package.json with
// --write.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// The build comes first, because documents name its output.
const failed = ['build', 'docs', 'pack', 'walk'].filter((name) => {
  const [, ...args] = scripts[name].split(' ')
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [...args, '--write'], { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return status !== 0
})
process.exit(failed.length === 0 ? 0 : 1)
