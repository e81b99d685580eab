// Clients that an operator declares in files, in JSON or YAML: docs/operate/operators.md#managing-clients
import { isExactNumber, isPlainObject } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LineCounter, type Scalar, isPair, isSeq, parseAllDocuments, visit } from 'yaml'
import { errorReason } from '../config/files.js'
import { printable } from '../text.js'

/** A client as a file declares it: its client_id, and the members of client metadata. */
export type DeclaredClient = {
  /** The file, below the directory, and the line where the client begins. */
  readonly place: string
  readonly members: Readonly<Record<string, unknown>>
}

type Found = { readonly clients: ReadonlyArray<DeclaredClient>; readonly faults: ReadonlyArray<string> }

const noClient =
  'must be an object with client_id and the members of client metadata, or a list of such objects: see docs/operate/operators.md#managing-clients'

const noNumber =
  'has a number that would come back as another one, or that JSON does not have (RFC 8259 §6): write a text, in quotation marks'

// YAML 1.2 §10.3.2: a number may also be octal or hexadecimal, have a plus, or begin with its point.
const inJson = (source: string): string =>
  /^0[ox]/.test(source) ? String(BigInt(source)) : source.replace(/^\+/, '').replace(/^-?(?=\.)/, '$&0')

const isChanged = ({ value, source = '' }: Scalar): boolean =>
  typeof value === 'number' && !(Number.isFinite(value) && isExactNumber(inJson(source)))

// JSON is YAML, so that one reader reports the faults of both with their line.
const readDeclarations = (name: string, text: string): Found => {
  const lines = new LineCounter()
  const placeOf = (offset: number | undefined): string => `${name}:${lines.linePos(offset ?? 0).line}`
  // `empty` has a file of comments alone.
  const documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })]
  const clients: Array<DeclaredClient> = []
  const faults = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos: [offset], message }) => `${placeOf(offset)}  ${printable(message)}`),
  )
  const sound = documents.filter(({ errors, warnings }) => errors.length + warnings.length === 0)
  for (const document of sound)
    visit(document, {
      Scalar: (_, node, path) => {
        const member = path.filter(isPair).at(-1)
        if (member !== undefined && isChanged(node))
          faults.push(`${placeOf(node.range?.[0])}  ${printable(String(member.key))} ${noNumber}`)
      },
    })
  const nodes = sound.flatMap((document) => {
    const { contents } = document
    const items = isSeq(contents) ? contents.items : contents === null ? [] : [contents]
    return items.map((node) => ({ document, node }))
  })
  for (const { document, node } of nodes) {
    const value: unknown = node.toJS(document)
    const place = placeOf(node.range[0])
    if (!isPlainObject(value)) faults.push(`${place}  ${noClient}`)
    else if (typeof value['client_id'] === 'string') clients.push({ place, members: value })
    else faults.push(`${place}  client_id must be a text: a number needs quotation marks in YAML`)
  }
  return { clients, faults }
}

const readOne = async (directory: string, name: string): Promise<Found> => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(directory, name)))
    return readDeclarations(name, text)
  } catch (error) {
    // Too many aliases, ill-formed UTF-8, or a file that cannot be opened.
    const reason = error instanceof Error && !('code' in error) ? error.message : errorReason(error)
    return { clients: [], faults: [`${printable(name)}  cannot be read (${printable(reason)})`] }
  }
}

// A name that begins with a dot is of another tool: a folder of a repository, or a version of mounted files.
const isDeclaration = (name: string): boolean =>
  /\.(json|ya?ml)$/.test(name) && !name.split(/[\\/]/).some((part) => part.startsWith('.'))

/**
 * All clients that the directory and those below it declare, in the order of the names of the files; or all faults, each
 * with its file and line. A directory without a client is refused: it may be the wrong one.
 */
export const readDeclaredClients = async (
  directory: string,
): Promise<E.Either<string, ReadonlyArray<DeclaredClient>>> => {
  let names: ReadonlyArray<string>
  try {
    names = (await readdir(directory, { recursive: true })).filter(isDeclaration).sort()
  } catch (error) {
    return E.left(`${directory} cannot be read (${errorReason(error)})`)
  }
  const found: Array<Found> = []
  for (const name of names) found.push(await readOne(directory, name))
  const faults = found.flatMap((each) => each.faults)
  const clients = found.flatMap((each) => each.clients)
  if (faults.length > 0) return E.left(faults.join('\n'))
  return clients.length > 0
    ? E.right(clients)
    : E.left(`${directory} declares no client: name a directory with files that end in .json, .yaml or .yml`)
}
