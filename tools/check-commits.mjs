// Checks the subjects of commits: 72 characters at most, without a first word that gives no intent. It checks the
// commits after the one below; where that is unknown, as in a shallow clone or without git, none.
import { spawnSync } from 'node:child_process'
import { root } from './packages.mjs'

const lastUnchecked = '0002a171b5d513f6363c8335f18624bf54c0c50c'
const maxLength = 72
/** A subject must not begin with one of these words. */
const subjectBeginnings = ['wip', 'misc', 'various', 'stuff', 'fixup!', 'squash!']

const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%h %s', `${lastUnchecked}..HEAD`], {
  cwd: root,
  encoding: 'utf8',
})
if (status !== 0) {
  console.log('skipped: the history is not here')
  process.exit(0)
}

const faultOf = (subject) => {
  const [first = ''] = subject.toLowerCase().split(' ')
  if (subject.length > maxLength) return `has ${subject.length} characters: ${maxLength} at most`
  return subjectBeginnings.includes(first) ? `begins with "${first}": say what the commit is for` : undefined
}

const faults = stdout
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }))
  .flatMap(({ hash, subject }) => {
    const fault = faultOf(subject)
    return fault === undefined ? [] : [`${hash} ${subject}: ${fault}`]
  })
for (const fault of faults) console.log(fault)
process.exit(faults.length === 0 ? 0 : 1)
