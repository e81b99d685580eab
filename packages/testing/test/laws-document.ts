// The part laws of docs/reuse/test-your-rules.md, from the laws and the results of a mutation run (docs/reuse/laws.mutants.json).
import { type Law, authorizationLaws, documentLaws, keyLaws, metadataLaws, redirectLaws } from '../src/index.js'
import { code, table } from '../../domain/test/documents/markdown.js'

/** Mutants by number, the survivors, and the mutants that each law kills, by its id. */
export type MutantsOfLaws = {
  readonly mutants: ReadonlyArray<string>
  readonly survivors: ReadonlyArray<number>
  readonly killedBy: Readonly<Record<string, ReadonlyArray<number>>>
  /** The laws that took in others after the run: here, each has the mutants of all its parts. The next run writes none. */
  readonly mergedSince?: ReadonlyArray<string>
}

type AnyLaw = Pick<Law<never>, 'id' | 'statement' | 'reference'>

const linked = (reference: string): string => {
  const [, decision] = /^docs\/decisions\/([\w-]+)\.md/.exec(reference) ?? []
  if (decision !== undefined) return `[decision on ${decision.replaceAll('-', ' ')}](../decisions/${decision}.md)`
  const [, document, name = ''] = /^docs\/(([\w-]+)\.md)/.exec(reference) ?? []
  if (document !== undefined) return `[${name}](../${document})`
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

// The same change may be made at several places of a file.
const survivorsOf = ({ mutants, survivors }: MutantsOfLaws): string => {
  const changes = survivors.map((mutant) => `- ${code((mutants[mutant] ?? '').replaceAll('`', "'"))}`)
  return [...new Set(changes)].join('\n')
}

const mergedText = ({ mergedSince = [] }: MutantsOfLaws): string =>
  mergedSince.length === 0
    ? ''
    : ` Since this run, other laws became parts of ${mergedSince.map(code).join(', ')}: until the next run, the figures of each are those of all its parts together.`

/** The part. */
export const lawsDocument = (found: MutantsOfLaws): string => {
  const all = found.mutants.length
  const alive = found.survivors.length
  const killed = new Set(Object.values(found.killedBy).flat()).size
  return `## All laws

### The faults that laws find

${all} small faults were planted in \`packages/domain/src/authorization\` and the two files of \`packages/domain/src/registration\` that grant permissions, one after another, and every law whose cases
reach a fault was tried on it (\`node tools/mutation/mutate.mjs laws\`). ${killed} of them violate a law, ${all - killed - alive} prevent any run, and ${alive} violate no law. The column *kills* counts the
faults that violate the law, and the column *alone* counts those that violate no other law. A law that kills none alone finds faults of other kinds,
in other rules.${mergedText(found)}

### Authorization

${table(
  ['law', 'id', 'source', 'kills', 'alone'],
  authorizationLaws.map((law) => [...cellsOf(law), ...figuresOf(found)(law)]),
)}

#### Faults that no law finds

Most of them change a text, a limit or a name, which the examples in \`packages/domain/test/authorization\` check.

<details><summary>The faults</summary>

${survivorsOf(found)}

</details>

### Client metadata

${table(['law', 'id', 'source'], metadataLaws.map(cellsOf))}

### Redirection URIs of authorization requests

${table(['law', 'id', 'source'], redirectLaws.map(cellsOf))}

### Client ID Metadata Documents

${table(['law', 'id', 'source'], documentLaws.map(cellsOf))}

### Keys of several instances

${table(['law', 'id', 'source'], keyLaws.map(cellsOf))}
`
}
