// clientele clients apply: the clients of a set become what files declare. docs/operate/operators.md#managing-clients
import { isDeclaredSet } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { Readable } from 'node:stream'
import type { Config } from '../config/settings.js'
import type { DeclaredClient } from '../importing/declared-files.js'
import { type ImportOptions, type RecordReport, runImport } from './run-import.js'
import { type Ask, readAnswer } from './ask.js'
import { type Place, manage } from './manage.js'
import { printable } from '../text.js'
import {
  type Command,
  type ExitStatus,
  type Invocation,
  type Terminal,
  agreed,
  inPages,
  json,
  lines,
  print,
  refuse,
  withSettings,
} from './command.js'

/** What becomes of a client; `left` stands in no file, and stays because --prune is not there. */
type Step = {
  readonly action: 'add' | 'change' | 'keep' | 'remove' | 'left' | 'broken'
  readonly client_id?: string
  /** The file and the line. */
  readonly place?: string
  /** In which a changed client differs. */
  readonly members?: ReadonlyArray<string>
  readonly faults?: RecordReport['faults']
  readonly notes?: RecordReport['notes']
}

type Steps = ReadonlyArray<Step>

type Wanted = {
  readonly set: string
  readonly adopt: boolean
  readonly prune: boolean
  readonly onlyValid: boolean
}

// The record of an export, in the authority of the operator.
const recordOf = ({ members }: DeclaredClient): string => {
  const { client_id, client_secret, ...metadata } = members
  return JSON.stringify({ clientele_client: 2, client_id, client_secret, registered_by: 'master', metadata })
}

const actions = { added: 'add', replaced: 'change', equal: 'keep', broken: 'broken', left_out: 'broken' } as const

const stepOf = (declared: ReadonlyArray<DeclaredClient>, report: RecordReport): Step => {
  const { line, client_id, outcome, faults, members } = report
  const place = declared[line - 1]?.place
  // Whoever declares a client manages it here, and not by its registration access token.
  const notes = report.notes.filter(({ rule }) => rule !== 'token-made')
  return {
    action: actions[outcome],
    ...(client_id === undefined ? {} : { client_id }),
    ...(place === undefined ? {} : { place }),
    ...(members === undefined ? {} : { members }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

type Parts = {
  readonly ask: Ask
  readonly place: Place
  readonly declared: ReadonlyArray<DeclaredClient>
  readonly wanted: Wanted
}

/** Judges the declared clients, or writes those that are valid. */
const imported = (
  { ask, place, declared, wanted: { set, adopt } }: Parts,
  pass: 'judged' | 'written',
): TE.TaskEither<string, Steps> => {
  const steps: Array<Step> = []
  const options: ImportOptions = {
    from: 'clientele',
    dryRun: pass === 'judged',
    onlyValid: true,
    replace: true,
    asOperator: false,
    usedSince: undefined,
    declares: { set, adopt },
  }
  const source = {
    chunks: () => Readable.from(declared.map((each) => `${recordOf(each)}\n`)),
    isUnchanged: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  }
  const onRecord = (report: RecordReport): void => void steps.push(stepOf(declared, report))
  return pipe(
    runImport({ source, ask, place, options, onRecord }),
    TE.map(() => steps),
  )
}

const Owned = t.type({ client_id: t.string, entity_tag: t.string })
type Owned = t.TypeOf<typeof Owned>
const OwnedPage = t.intersection([t.type({ clients: t.array(Owned) }), t.partial({ next: t.string })])

/** The clients of the set that no file declares. */
const undeclared = ({ ask, declared, wanted: { set } }: Parts): TE.TaskEither<string, ReadonlyArray<Owned>> => {
  const ids = new Set(declared.map(({ members }) => members['client_id']))
  const list = { path: '/manage/v1/clients', query: { declared: set, fields: 'entity_tag' }, codec: OwnedPage }
  return pipe(
    inPages(ask, { ...list, itemsOf: ({ clients }) => clients.filter(({ client_id }) => !ids.has(client_id)) }),
    TE.map(({ items }) => items),
  )
}

// A client that was changed after the plan is not removed: somebody needs it.
const remove = (ask: Ask, { client_id, entity_tag }: Owned): TE.TaskEither<string, unknown> =>
  pipe(
    ask(`/manage/v1/clients/${encodeURIComponent(client_id)}`, undefined, {
      method: 'DELETE',
      ifMatch: entity_tag,
    }),
    TE.flatMap((response) => (response.status === 404 ? TE.right(undefined) : readAnswer(t.unknown)(response))),
    TE.mapLeft(
      (refusal) =>
        `${printable(client_id)} was not removed: ${refusal}. What was done until then stays: the same command goes on`,
    ),
  )

const marks = { add: '+', change: '~', keep: '=', remove: '-', left: ' ', broken: '!' } as const

const saidOf = ({ action, members = [] }: Step): string => {
  switch (action) {
    case 'add':
      return 'is added'
    case 'change':
      return members.length === 0 ? 'is taken over' : `changes ${members.join(', ')}`
    case 'keep':
      return 'is as declared'
    case 'remove':
      return 'stands in no file, and is removed'
    case 'left':
      return 'stands in no file: --prune removes it'
    case 'broken':
      return 'cannot be so'
  }
}

const stepText = (step: Step): string =>
  lines(
    printable(`${marks[step.action]} ${[step.client_id, step.place, saidOf(step)].filter(Boolean).join('  ')}`),
    (step.faults ?? []).map(({ pointer, rule, description }) =>
      printable(`    ${pointer === '' ? '' : `${pointer}  `}${rule}: ${description}`),
    ),
    (step.notes ?? []).map(({ description }) => printable(`    ${description}`)),
  )

const numbersOf = (steps: Steps) => {
  const of = (action: Step['action']): number => steps.filter((step) => step.action === action).length
  return {
    add: of('add'),
    change: of('change'),
    keep: of('keep'),
    remove: of('remove'),
    left: of('left'),
    broken: of('broken'),
  }
}

type Numbers = ReturnType<typeof numbersOf>

const waits = ({ add, change, remove }: Numbers): boolean => add + change + remove > 0

const numbersText = ({ add, change, keep, remove, broken }: Numbers): string =>
  `${add} to add, ${change} to change, ${remove} to remove, ${keep} as declared, ${broken} broken`

/** What becomes of the declared clients, and of those that stand in no file, of which these are removed. */
type Plan = { readonly steps: Steps; readonly removed: ReadonlyArray<Owned> }

const report = (terminal: Terminal, invocation: Invocation, steps: Steps, end: string, done: boolean): void =>
  print(terminal, invocation, { steps, summary: { done, ...numbersOf(steps) } }, () =>
    lines(steps.filter(({ action, notes }) => action !== 'keep' || notes !== undefined).map(stepText), end),
  )

const planned = (parts: Parts): TE.TaskEither<string, Plan> => {
  const { prune } = parts.wanted
  return pipe(
    imported(parts, 'judged'),
    TE.bindTo('declared'),
    TE.bind('others', () => undeclared(parts)),
    TE.map(({ declared, others }) => ({
      steps: [...declared, ...others.map(({ client_id }): Step => ({ action: prune ? 'remove' : 'left', client_id }))],
      removed: prune ? others : [],
    })),
  )
}

/** Writes what the plan says, and removes clients last. What was changed since the plan is told. */
const carriedOut = (parts: Parts, { steps, removed }: Plan): TE.TaskEither<string, Steps> =>
  pipe(
    imported(parts, 'written'),
    TE.map((declared) => [...declared, ...steps.filter(({ action }) => action === 'remove' || action === 'left')]),
    TE.tap(() =>
      pipe(
        removed,
        TE.traverseSeqArray((owned) => remove(parts.ask, owned)),
      ),
    ),
  )

const runSteps = (terminal: Terminal, parts: Parts, invocation: Invocation): TE.TaskEither<string, ExitStatus> => {
  const { switches } = invocation
  return pipe(
    planned(parts),
    TE.flatMap((plan): TE.TaskEither<string, ExitStatus> => {
      const { steps, removed } = plan
      const numbers = numbersOf(steps)
      const isRefused = numbers.broken > 0 && !parts.wanted.onlyValid
      const show = (end: string): void => report(terminal, invocation, steps, `${end}: ${numbersText(numbers)}`, false)
      if (isRefused) {
        show('Nothing was done, because of the broken clients. Correct them, or choose --only-valid')
        return TE.right(1)
      }
      if (switches.includes('dry-run')) {
        show('Nothing was done. This would be')
        return TE.right(waits(numbers) && switches.includes('detailed-exitcode') ? 2 : 0)
      }
      const consequences = lines(
        'These clients stand in no file. They are removed for good, with their tokens and consents:',
        removed.map(({ client_id }) => `- ${printable(client_id)}`),
      )
      const consent =
        removed.length === 0
          ? TE.right(undefined)
          : agreed(terminal, invocation, TE.right(consequences), 'Remove them now?')
      return pipe(
        consent,
        TE.flatMap(() => carriedOut(parts, plan)),
        TE.map((after) => {
          const done = numbersOf(after)
          report(
            terminal,
            invocation,
            after,
            `Done: ${done.add} added, ${done.change} changed, ${done.remove} removed`,
            true,
          )
          return done.broken > 0 && !parts.wanted.onlyValid ? 1 : 0
        }),
      )
    }),
  )
}

const apply = withSettings(async ({ config }: { readonly config: Config }, terminal, invocation) => {
  const { operand = '', flags, switches } = invocation
  const { set = 'declared' } = flags
  if (!isDeclaredSet(set)) return refuse(terminal, '--set must have 1 to 64 of the characters A-Z a-z 0-9 . _ -', 2)
  // The reader of YAML is loaded for this command alone.
  const { readDeclaredClients } = await import('../importing/declared-files.js')
  const declared = await readDeclaredClients(operand)
  if (E.isLeft(declared)) return refuse(terminal, declared.left, 1)
  const wanted = {
    set,
    adopt: switches.includes('adopt'),
    prune: switches.includes('prune'),
    onlyValid: switches.includes('only-valid'),
  }
  const done = await manage(config, (ask, place) =>
    runSteps(terminal, { ask, place, declared: declared.right, wanted }, invocation),
  )()
  return E.isLeft(done) ? refuse(terminal, done.left, 1) : done.right
})

export const applyCommand: Command = {
  name: 'clients apply',
  summary: 'add, change and remove the clients of a set, until they are what the files of a directory declare',
  details:
    'The files are JSON or YAML: an object with client_id and the members of client metadata, or a list of them. Only clients of the set are changed, and removed only with --prune. If a client breaks a rule, nothing is done, unless --only-valid is there. The same command again changes nothing.',
  operand: { name: 'DIR', description: 'the directory with the files, which end in .json, .yaml or .yml' },
  options: [
    { name: 'dry-run', description: 'show what would be added, changed and removed, and do nothing' },
    { name: 'prune', description: 'remove the clients of the set that no file declares' },
    { name: 'yes', description: 'do not ask before clients are removed' },
    { name: 'adopt', description: 'take over clients of the same client_id that belong to no set' },
    { name: 'only-valid', description: 'add and change the valid clients although others break rules' },
    { name: 'set', value: 'NAME', description: 'the name of the set; the default is declared' },
    { name: 'detailed-exitcode', description: 'end with status 2 if a dry run shows a change' },
    json,
  ],
  example: 'clientele clients apply clients/ --prune --dry-run',
  run: apply,
}
