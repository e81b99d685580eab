// npm run generate: makes everything anew that follows from the sources.
import { spawnSync } from 'node:child_process'
import { root } from './packages.mjs'

// The build comes first, because documents name its output.
const steps = {
  build: ['tools/build.mjs'],
  documents: ['tools/check-docs.mjs', '--write'],
  'packed files': ['tools/pack.mjs', '--write'],
  walks: ['--conditions=@clientele/source', '--import', './tools/trace/register.mjs', 'tools/trace/run.mjs', '--write'],
}

const failed = Object.entries(steps).filter(([name, args]) => {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
