// Which test files each command runs. What no line names runs in `npm test`: it needs Node alone, starts no other
// program, and takes seconds.

/** `npm run nightly` */
const nightly = [
  'packages/adapters-postgresql/test/migration-limits',
  'packages/adapters-postgresql/test/models-planted',
  'packages/adapters-postgresql/test/models-serializable',
  'packages/adapters-postgresql/test/next-release',
  'packages/adapters-postgresql/test/pgbouncer',
  'packages/adapters-postgresql/test/planted',
  'packages/adapters-postgresql/test/serializable',
  'packages/adapters-sqlite/test/contracts-encrypted-elsewhere',
  'packages/app/test/postgresql/patroni',
  'packages/app/test/postgresql/pgbouncer',
  'packages/app/test/postgresql/upgrade',
]

/** `npm run test:all`: PostgreSQL, browsers, Apache, processes, other programs, and what waits for time to pass. */
const all = [
  'packages/adapters-postgresql/',
  'packages/adapters-sqlite/test/store-faults',
  'packages/domain/test/kits/',
  'packages/app/test/abuse/',
  'packages/app/test/browser/',
  'packages/app/test/conformance/',
  'packages/app/test/deploy/',
  'packages/app/test/documents/programs',
  'packages/app/test/documents/readme',
  'packages/app/test/documents/release-workflow',
  'packages/app/test/engine/busy-database',
  'packages/app/test/engine/key-sets',
  'packages/app/test/keys/real-verifiers',
  'packages/app/test/logout/many-notifications',
  'packages/app/test/logout/slow-names',
  'packages/app/test/cli/a-year',
  'packages/app/test/postgresql/',
  'packages/app/test/process/',
  'packages/app/test/sign-in/',
  'packages/app/test/two-instances',
  'packages/app/test/wire/doors',
  'packages/app/test/wire/metadata-policy-file',
  'packages/app/test/wire/races',
  'packages/app/test/observing/collected-metrics',
  'packages/app/test/server/pause-before-fork',
  'packages/playground/test/browser/',
  'packages/playground/test/commands',
  'packages/adapters-memory/test/hosts',
  'tools/test/',
]

const holds = (patterns, file) => patterns.some((pattern) => file.includes(pattern))

export const tiers = ['quick', 'all', 'nightly']

/** The tier of a test file, by its path below the root. */
export const tierOf = (file) => {
  if (holds(nightly, file)) return 'nightly'
  return holds(all, file) ? 'all' : 'quick'
}
