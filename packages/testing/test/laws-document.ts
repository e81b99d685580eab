// docs/laws.md, made of the laws and of what a mutation run found (docs/laws.mutants.json).
import { type Law, authorizationLaws, metadataLaws } from '../src/index.js'
import { code, table } from '../../domain/test/documents/markdown.js'

/** Mutants by number, those that live, and by the id of each law those that it kills. */
export type MutantsOfLaws = {
  readonly mutants: ReadonlyArray<string>
  readonly survivors: ReadonlyArray<number>
  readonly killedBy: Readonly<Record<string, ReadonlyArray<number>>>
}

type AnyLaw = Pick<Law<never>, 'id' | 'statement' | 'reference'>

const linked = (reference: string): string => {
  const [, document = '', name = ''] = /^docs\/((?:decisions\/)?([\w-]+)\.md)/.exec(reference) ?? []
  if (document !== '') return `[${name.replace(/^(\d{4})-.*/, 'decision $1')}](${document})`
  const [, rfc, section] = /^RFC (\d+) §([\d.]+)$/.exec(reference) ?? []
  return rfc === undefined ? reference : `[${reference}](https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section})`
}

const cellsOf = ({ id, statement, reference }: AnyLaw): ReadonlyArray<string> => [
  statement,
  code(id),
  linked(reference),
]

const figuresOf =
  ({ killedBy }: MutantsOfLaws) =>
  ({ id }: AnyLaw): ReadonlyArray<string> => {
    const mine = killedBy[id]
    if (mine === undefined) return ['not tried yet', '']
    const others = new Set(Object.entries(killedBy).flatMap(([other, killed]) => (other === id ? [] : killed)))
    return [String(mine.length), String(mine.filter((mutant) => !others.has(mutant)).length)]
  }

const survivorsOf = ({ mutants, survivors }: MutantsOfLaws): string =>
  survivors.map((mutant) => `- ${code((mutants[mutant] ?? '').replaceAll('`', "'"))}`).join('\n')

/** The page. */
export const lawsDocument = (found: MutantsOfLaws): string => {
  const [all, alive] = [found.mutants.length, found.survivors.length]
  const killed = new Set(Object.values(found.killedBy).flat()).size
  return `# Laws

This page is generated from \`packages/testing/src/laws\` and \`docs/laws.mutants.json\`.

A law is a sentence and a property: [testing](testing.md) shows how rules of your own are held to them, by id or all at once.

## What a law is worth

${all} small faults were planted in \`packages/domain/src/authorization\` and the two files of \`packages/domain/src/registration\` that permit, one after another, and each was tried on every law whose cases
reach it (\`npm run mutation -- laws\`). ${killed} of them break a law, ${all - killed - alive} so much that nothing can be tried, and ${alive} no law. A law *kills* the
faults that break it; those that it kills *alone* would go unnoticed without it. Laws that kill nothing alone say the same from another side,
for rules that are wrong in other ways.

## Authorization

${table(
  ['law', 'id', 'from', 'kills', 'alone'],
  authorizationLaws.map((law) => [...cellsOf(law), ...figuresOf(found)(law)]),
)}

### What no law notices

Texts, limits and names, mostly, which the examples in \`packages/domain/test/authorization\` are for.

${survivorsOf(found)}

## Client metadata

${table(['law', 'id', 'from'], metadataLaws.map(cellsOf))}
`
}
