// Names that mislead: of others, or of a status that the operator did not give.
import type { ConsentPolicy, ConsentWarning, Identity, ProtectedName, RedirectHost } from './consent-facts.js'
import { mixesScripts } from './mixed-scripts.js'
import { readingsOf, skeletonOf } from './skeleton.js'

const wordsOfStatus = [
  'official',
  'verified',
  'certified',
  'trusted',
  'authentic',
  'genuine',
  'offiziell',
  'verifiziert',
  'officiel',
  'oficial',
  'verificado',
  '公式',
  '認証済み',
  'رسمي',
  'موثق',
]

const isAtHost = (host: string, owned: string): boolean => host === owned || host.endsWith(`.${owned}`)

const withoutPort = (host: string): string => host.replace(/:\d*$/, '')

// The answer goes to these hosts only: to the owner of the name.
const hasName = ({ hosts }: ProtectedName, identity: Identity, redirectHosts: ReadonlyArray<RedirectHost>): boolean =>
  (identity.kind === 'verified' && hosts.some((owned) => isAtHost(identity.host, owned))) ||
  redirectHosts.every(({ kind, host }) => kind === 'web' && hosts.some((owned) => isAtHost(withoutPort(host), owned)))

// A short name occurs in many words by chance.
const minPart = 4

const resembles =
  (name: string) =>
  ({ name: known }: ProtectedName): boolean => {
    const wanted = readingsOf(known)
      .map((words) => words.join(''))
      .filter((each) => each !== '')
    return readingsOf(name).some((words) => {
      const whole = words.join('')
      return wanted.some((each) => [whole, ...words].includes(each) || (each.length >= minPart && whole.includes(each)))
    })
  }

const statusOf = (name: string): string | undefined => {
  const words = new Set(readingsOf(name).flat())
  return wordsOfStatus.find((word) => words.has(skeletonOf(word)))
}

/** What is to be said about a name, in the order of the policy. */
export const nameWarnings = (
  name: string,
  policy: ConsentPolicy,
  identity: Identity,
  redirectHosts: ReadonlyArray<RedirectHost>,
): ReadonlyArray<ConsentWarning> => {
  const word = identity.kind === 'verified' ? undefined : statusOf(name)
  return [
    ...policy.protectedNames
      .filter((each) => resembles(name)(each) && !hasName(each, identity, redirectHosts))
      .map(({ name: known }) => ({ kind: 'looks_like' as const, name: known })),
    ...(word === undefined ? [] : [{ kind: 'claims_status' as const, word }]),
    ...(mixesScripts(name) ? [{ kind: 'mixed_scripts' as const }] : []),
  ]
}
