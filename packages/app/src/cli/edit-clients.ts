// clientele clients create and edit: docs/operate/operators.md#managing-clients.
import { isMemberName, memberOfVariant, members } from '@clientele/domain/client'
import { isPlainObject, readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { type Ask, readAnswer } from './ask.js'
import { manage, noSuchClient, operate } from './manage.js'
import { didYouMean } from '../config/values.js'
import { readRegistrationBody } from '../data/given-files.js'
import { printable, printableDocument, printableJson } from '../text.js'
import {
  type Command,
  type CommandOption,
  type Invocation,
  json,
  refuse,
  show,
  withSettings,
  lines,
} from './command.js'

type Members = Readonly<Record<string, unknown>>

const presets = ['preferred_client_id', 'preferred_client_secret']

type Kind = 'array' | 'object' | 'integer' | 'boolean' | 'string'

const kindOf = (name: string): Kind => {
  const member = memberOfVariant(name) ?? name
  const type = isMemberName(member) ? members[member].type.schema['type'] : undefined
  return type === 'array' || type === 'object' || type === 'integer' || type === 'boolean' ? type : 'string'
}

const credentials = ['client_secret', 'registration_access_token']

const insteadOf = (name: string, others: ReadonlyArray<string>): string => {
  if (others.includes(`preferred_${name}`)) return `did you mean preferred_${name}?`
  if (credentials.includes(name)) return 'clientele clients renew makes new credentials'
  return name === 'client_id'
    ? 'a client keeps its client_id'
    : didYouMean(name, [...Object.keys(members), ...others], 'docs/use/client-metadata.md lists them')
}

const faultOfName = (name: string, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  isMemberName(name) || memberOfVariant(name) !== undefined || others.includes(name)
    ? []
    : [`${printableJson(name)} is no member: ${insteadOf(name, others)}`]

const asJson = (name: string, text: string, kind: string): E.Either<string, unknown> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${name} must be ${kind} in JSON: it ${fault.text}`),
  )

// The decision says what a member must be whose text is not of its kind.
const scalarOf = (kind: Kind, text: string): unknown => {
  if (kind === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return kind === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text
}

const valueOf = (name: string, texts: ReadonlyArray<string>): E.Either<string, unknown> => {
  const [text = '', ...more] = texts
  const kind = kindOf(name)
  if (texts.includes('')) return E.left(`${name} is empty: ${name}=null removes it`)
  if (more.length > 0) return kind === 'array' ? E.right(texts) : E.left(`${name} is given twice, and is no list`)
  if (text === 'null') return E.right(null)
  if (kind === 'array') return text.startsWith('[') ? asJson(name, text, 'a list') : E.right(texts)
  return kind === 'object' ? asJson(name, text, 'an object') : E.right(scalarOf(kind, text))
}

/** The members of arguments such as client_name=Calendar, or all of their faults. */
export const membersOf = (
  words: ReadonlyArray<string>,
  others: ReadonlyArray<string> = [],
): E.Either<string, Members> => {
  const texts = new Map<string, ReadonlyArray<string>>()
  const unnamed = words.filter((word) => word.indexOf('=') < 1)
  for (const word of words.filter((each) => !unnamed.includes(each))) {
    const [name = '', ...rest] = word.split('=')
    texts.set(name, [...(texts.get(name) ?? []), rest.join('=')])
  }
  const values = [...texts].map(([name, given]) => ({ name, value: valueOf(name, given) }))
  const faults = [
    ...unnamed.map((word) => `${printableJson(word)} must be MEMBER=VALUE`),
    ...[...texts.keys()].flatMap((name) => faultOfName(name, others)),
    ...values.flatMap(({ value }) => (E.isLeft(value) ? [value.left] : [])),
  ]
  return faults.length > 0
    ? E.left(faults.join('\n'))
    : E.right(Object.fromEntries(values.map(({ name, value }) => [name, E.toUnion(value)])))
}

const membersOfFile = (path: string, others: ReadonlyArray<string>): E.Either<string, Members> => {
  const body = readRegistrationBody(path, 'from')
  if (E.isLeft(body)) return body
  if (E.isLeft(body.right)) return E.left(`${path}: ${body.right.left.error_description}`)
  if (!isPlainObject(body.right.right)) return E.left(`${path} must contain a JSON object`)
  const faults = Object.keys(body.right.right).flatMap((name) => faultOfName(name, others))
  return faults.length > 0 ? E.left(faults.join('\n')) : E.right(body.right.right)
}

const givenMembers = (
  words: ReadonlyArray<string>,
  { flags: { from } }: Invocation,
  others: ReadonlyArray<string>,
): E.Either<string, Members> => {
  if (from !== undefined && words.length > 0) return E.left('give either MEMBER=VALUE or --from FILE, not both')
  if (from !== undefined) return membersOfFile(from, others)
  return words.length === 0
    ? E.left('give at least one MEMBER=VALUE, such as client_name=Calendar, or --from FILE')
    : membersOf(words, others)
}

const hint = (client: Members): string =>
  `clientele: the credentials are shown this once: put the ${credentials
    .filter((name) => client[name] !== undefined)
    .join(' and the ')} into the secret store of the application. clientele clients renew makes new ones\n`

/** Registers a client with the authority of the operator; a dry run makes the same decision. */
const create = withSettings(({ config }, terminal, invocation) => {
  const { words = [], switches } = invocation
  const given = givenMembers(words, invocation, presets)
  if (E.isLeft(given)) return refuse(terminal, given.left, 2)
  const dryRun = switches.includes('dry-run')
  const created = operate(config, { path: `/clients?dry_run=${dryRun}`, body: given.right, codec: t.UnknownRecord })
  return show(terminal, created, (client) => {
    if (switches.includes('json')) return printableDocument(client)
    if (dryRun) return `Nothing was done. The client would be:\n${printableDocument(client)}`
    terminal.errors.write(hint(client))
    return printableDocument(client)
  })
})

const Change = t.intersection([
  t.type({ member: t.string, change: t.keyof({ added: null, removed: null, replaced: null }) }),
  t.partial({ before: t.unknown, after: t.unknown }),
])
const PreviewAnswer = t.type({ changes: t.array(Change) })

type ListedChange = t.TypeOf<typeof Change>

/** What an edit changes, the version that it is for, and the client afterwards; no client where nothing was changed. */
type Edited = {
  readonly changes: ReadonlyArray<ListedChange>
  readonly entityTag: string
  readonly client?: Members
}

type Edit = {
  readonly id: string
  readonly patch: object
  readonly ifMatch: string | undefined
  readonly dryRun: boolean
}

const patched = (ask: Ask, { id, patch, ifMatch, dryRun }: Edit) =>
  pipe(
    ask(`/manage/v1/clients/${encodeURIComponent(id)}?dry_run=${dryRun}`, patch, { method: 'PATCH', ifMatch }),
    TE.flatMap((response) =>
      pipe(
        readAnswer(t.UnknownRecord, noSuchClient)(response),
        TE.map((client) => ({ client, entityTag: response.headers.get('ETag') ?? '' })),
      ),
    ),
  )

/**
 * Changes members of a client, which keeps its credentials: asks first what would change, and then changes the version
 * that this was answered for.
 */
const editClient = (config: Config, edit: Edit): TE.TaskEither<string, Edited> =>
  manage(config, (ask) =>
    pipe(
      patched(ask, { ...edit, dryRun: true }),
      TE.flatMap(({ client: preview, entityTag }): TE.TaskEither<string, Edited> => {
        if (!PreviewAnswer.is(preview)) return TE.left('the service does not say what would change: update it')
        const { changes } = preview
        return edit.dryRun || changes.length === 0
          ? TE.right({ changes, entityTag })
          : pipe(
              patched(ask, { ...edit, ifMatch: entityTag }),
              TE.map((done) => ({ changes, ...done })),
            )
      }),
    ),
  )

const secretTexts = { added: 'is made', removed: 'is dropped', replaced: 'is replaced' } as const

const changeText = ({ member, change, before, after }: ListedChange): string => {
  const name = `  ${printable(member)}`
  if (member === 'client_secret') return `${name} ${secretTexts[change]}`
  if (change === 'removed') return `${name}: ${printableJson(before)} is removed`
  return change === 'added'
    ? `${name}: ${printableJson(after)} is added`
    : `${name}: ${printableJson(before)} → ${printableJson(after)}`
}

const editText = ({ changes, entityTag, client }: Edited, madeSecret: boolean): string => {
  if (changes.length === 0) return 'Nothing changes: the client is so already'
  return client === undefined
    ? lines(
        'This would change:',
        changes.map(changeText),
        `Nothing was done. --if-match ${printable(entityTag.slice(1, -1))} does it if the client is still the same`,
      )
    : lines('Changed:', changes.map(changeText), !madeSecret && 'The credentials of the client stay')
}

const quoted = (tag: string): string => (tag === '*' || tag.startsWith('"') ? tag : `"${tag}"`)

const edit = withSettings(({ config }, terminal, invocation) => {
  const { operand = '', words = [], flags, switches } = invocation
  const { 'if-match': tag } = flags
  if (E.isRight(membersOf([operand])))
    return refuse(terminal, 'give the CLIENT_ID before the members: clientele clients list lists it', 2)
  const given = givenMembers(words.slice(1), invocation, [])
  if (E.isLeft(given)) return refuse(terminal, given.left, 2)
  // RFC 9110 §8.8.3: no header field takes another character.
  if (/[^\x21-\x7e]/.test(tag ?? ''))
    return refuse(terminal, '--if-match must be an entity tag, in ASCII: entity_tag of clientele clients show', 2)
  const ifMatch = tag === undefined ? undefined : quoted(tag)
  const edited = editClient(config, { id: operand, patch: given.right, ifMatch, dryRun: switches.includes('dry-run') })
  return show(terminal, edited, (done) => {
    const { changes, client } = done
    if (switches.includes('json')) return printableDocument(client ?? { changes })
    const madeSecret = changes.some(({ member, change }) => member === 'client_secret' && change === 'added')
    const client_secret = madeSecret ? client?.['client_secret'] : undefined
    if (typeof client_secret !== 'string') return editText(done, madeSecret)
    terminal.errors.write(hint({ client_secret }))
    return `${editText(done, madeSecret)}\n${printableDocument({ client_secret })}`
  })
})

const assignments = {
  name: 'MEMBER=VALUE',
  description:
    'a member of the client metadata; for a list, repeat the member or write JSON, and for an object, write JSON',
  optional: true,
  several: true,
} as const

const from: CommandOption = {
  name: 'from',
  value: 'FILE',
  description: 'the members as a JSON object; - is the standard input',
}

export const editCommands: ReadonlyArray<Command> = [
  {
    name: 'clients create',
    summary: 'register a client, and print it with its credentials',
    details: 'The service decides about it as about POST /clients by the operator.',
    operand: assignments,
    options: [from, { name: 'dry-run', description: 'show what the client would be, and register nothing' }, json],
    example: 'clientele clients create client_name=Calendar redirect_uris=https://rp.example/cb --dry-run',
    run: create,
  },
  {
    name: 'clients edit',
    summary: 'change members of a client, which keeps its credentials',
    details:
      'MEMBER=null removes a member. The file is a JSON Merge Patch (RFC 7396). The command shows what changes; with --dry-run it changes nothing.',
    operand: { name: 'CLIENT_ID', description: 'the client_id of the client' },
    further: assignments,
    options: [
      from,
      {
        name: 'if-match',
        value: 'TAG',
        description: 'change only this version of the client: the entity_tag that clientele clients show names',
      },
      { name: 'dry-run', description: 'show what would change, and change nothing' },
      json,
    ],
    example: 'clientele clients edit s6BhdRkqt3s6BhdRkqt3 client_name=Calendar logo_uri=null --dry-run',
    run: edit,
  },
]
