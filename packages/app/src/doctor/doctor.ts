// clientele doctor: looks for faults of an installation, in its files and settings, its store, the running service and
// its public address; nothing is changed.
import { type InspectedDatabase, inspectDatabase } from '@clientele/adapters-sqlite'
import { ClientIdUrl, clientIdUrl } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import { describeProvider } from '@clientele/domain/operations'
import type { StoreRefusal } from '@clientele/domain/ports'
import { eachClientOfMaster } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { listAudit } from '../cli/audit.js'
import { listClients, listRemovals } from '../cli/clients.js'
import { type Command, json, print, refuse, withSettings } from '../cli/command.js'
import { checkEncryptionKeys } from '../cli/encryption-keys.js'
import { listInstances } from '../cli/service.js'
import { listKeys } from '../cli/keys.js'
import { listPending } from '../cli/logouts.js'
import { dataFiles } from '../config/database.js'
import { judgedBy } from '../config/load-config.js'
import type { Config } from '../config/settings.js'
import { settingsOf } from '../explaining/explanations.js'
import { readAnswer } from '../cli/ask.js'
import { counted, printable } from '../text.js'
import { documentAt, storedClient, storedDocuments } from './documents.js'
import {
  type Finding,
  type Findings,
  type NamedClient,
  auditClockFindings,
  clockFinding,
  discoveryFinding,
  encryptionFindings,
  fault,
  found,
  instanceFindings,
  keyFindings,
  namedFindings,
  notificationFinding,
  ok,
  approvalsFinding,
  removalsFinding,
  warning,
} from './findings.js'
import { hostFindings, settingFindings } from './host.js'
import { upstreamFindings } from './upstreams.js'

const databaseFindings = ({ journal_mode, log_bytes, differences }: InspectedDatabase): Findings =>
  found(
    journal_mode === 'wal'
      ? ok('database', 'The database has a write-ahead log; the service writes it with synchronous=FULL')
      : ok('database', `The journal mode is ${journal_mode}: the next start sets the write-ahead log`),
    differences.length > 0 &&
      fault(
        'database',
        `The database has another schema than this service makes: ${differences.join(', ')}`,
        'Undo this, or restore a backup: no restoration takes a backup of it',
      ),
    log_bytes > 268_435_456 &&
      warning('database', `The log has ${log_bytes} octets`, 'End the process that reads the database for so long'),
  )

const Metadata = t.type({ issuer: t.string, id_token_signing_alg_values_supported: t.readonlyArray(t.string) })

// As the service describes itself, so that no request is necessary.
const promisedBySettings = (config: Config): ReadonlyArray<string> => {
  const settings = settingsOf(config)
  const { issuer } = settings
  const metadata = describeProvider({
    ...settings,
    jwksUri: issuer,
    registrationEndpoint: issuer,
    endSession: undefined,
  })
  return Metadata.is(metadata) ? metadata.id_token_signing_alg_values_supported : []
}

// A document is named by its URL, which nobody else can register: it may be that no end-user has approved it yet.
const namedBy = (config: Config): ReadonlyArray<Omit<NamedClient, 'registered_by'>> => {
  const policy = config['resource-policy'] ?? []
  const named = {
    'first-party-clients': config['first-party-clients'],
    'skip_consent in registration-policy': (config['registration-policy']?.clients ?? [])
      .filter(({ client_id, skip_consent }) => skip_consent === true && !ClientIdUrl.is(client_id))
      .map(({ client_id }) => client_id),
    'introspection-clients': config['introspection-clients'].filter((id) => id !== eachClientOfMaster),
    'clients in resource-policy': new Set(
      policy.flatMap((rule) => rule.clients ?? []).filter((id) => !ClientIdUrl.is(id)),
    ),
    'introspected_by in resource-policy': new Set(policy.flatMap((rule) => rule.introspected_by ?? [])),
  }
  return Object.entries(named).flatMap(([setting, ids]) => [...ids].map((id) => ({ setting, id })))
}

const namedClients = (config: Config): TE.TaskEither<string, ReadonlyArray<NamedClient>> =>
  pipe(
    namedBy(config),
    TE.traverseSeqArray((named) =>
      pipe(
        storedClient(config, named.id),
        TE.map((client) => ({ ...named, registered_by: client && String(client['registered_by']) })),
      ),
    ),
  )

type Check = { readonly name: string; readonly run: TE.TaskEither<string, Findings> }

const check = <A>(name: string, read: TE.TaskEither<string, A>, judge: (value: A) => Findings): Check => ({
  name,
  run: TE.map(judge)(read),
})

const storeChecks = (config: Config, at: number): ReadonlyArray<Check> => {
  const files = dataFiles(config)
  return [
    files === undefined
      ? check('instances', listInstances(config), ({ instances }) => instanceFindings(instances))
      : check(
          'database',
          TE.mapLeft(({ message }: StoreRefusal) => message)(inspectDatabase(files.database)),
          databaseFindings,
        ),
    check('keys', listKeys(config), ({ keys }) => [
      ...keyFindings(keys, at),
      discoveryFinding('The metadata by the settings', promisedBySettings(config), keys),
      clockFinding(keys, at),
    ]),
    check(
      'audit log',
      listAudit(config, { since: String(at), limit: '1' }, () => undefined),
      ({ rows }) =>
        auditClockFindings(
          rows.flatMap(({ entry }) => entry?.at ?? []),
          at,
        ),
    ),
    check(
      'encryption key',
      checkEncryptionKeys(config, () => undefined),
      encryptionFindings,
    ),
    check('logouts', listPending(config), (pending) => [notificationFinding(pending, config['outbound-fetches'], at)]),
    check('removals', listRemovals(config, { after: undefined, limit: 1 }), ({ announced }) => [
      removalsFinding(announced),
    ]),
    check('approvals', listClients(config, { state: 'pending', fields: 'client_id' }, 1_000), ({ clients, next }) => [
      approvalsFinding(clients.length, next !== undefined),
    ]),
    check('documents', storedDocuments(config), identity),
    ...(config.engine === 'none' ? [] : [check('clients', namedClients(config), namedFindings)]),
  ]
}

const reachLimit = 10_000

const publicFindings = (config: Config, url: string): TE.TaskEither<string, Findings> => {
  const address = `${url}/.well-known/openid-configuration`
  return pipe(
    TE.tryCatch(
      () => fetch(address, { signal: AbortSignal.timeout(reachLimit), redirect: 'error' }),
      () => `${address} does not answer: check the name, the proxy and its certificate`,
    ),
    TE.bindTo('response'),
    TE.bind('metadata', ({ response }) => readAnswer(Metadata)(response)),
    TE.let('seconds', ({ response }) => {
      const shown = Date.parse(response.headers.get('date') ?? new Date().toUTCString())
      return Math.abs(Date.now() - shown) / 1000
    }),
    TE.bind('list', () => listKeys(config)),
    TE.map(({ metadata, seconds, list }) => [
      discoveryFinding(`The metadata of ${url}`, metadata.id_token_signing_alg_values_supported, list.keys),
      metadata.issuer === url
        ? ok('base-url', `${url} answers with its metadata`)
        : fault('base-url', `${url} answers as the issuer ${metadata.issuer}`, 'Correct base-url or the proxy'),
      seconds > 5
        ? fault(
            'clock',
            `The clocks of this machine and of ${url} differ by ${Math.round(seconds)} seconds`,
            'Synchronize them by NTP',
          )
        : ok('clock', `The clocks of this machine and of ${url} agree`),
    ]),
  )
}

/** What is asked beside the installation itself. */
type Reach = {
  /** The public address. */
  readonly base: boolean
  /** The document of a client. */
  readonly document: ClientIdUrl | undefined
}

/** All findings, in a fixed order. */
export const diagnose = async (config: Config, { base, document }: Reach, at: number): Promise<Findings> => {
  const files = dataFiles(config)
  const url = config['base-url']
  const host = files === undefined ? [] : hostFindings(config, files)
  const findings = [...host, ...settingFindings(config), ...(await upstreamFindings(config))]
  // A command on the store would make a secret that is missing.
  if (host.some(({ level }) => level === 'fault')) return findings
  const checks: ReadonlyArray<Check> = [
    ...storeChecks(config, at),
    ...(base && url !== undefined ? [check('base-url', publicFindings(config, url), identity)] : []),
    ...(document === undefined ? [] : [check('document', documentAt(config, document), identity)]),
  ]
  for (const { name, run } of checks) {
    const read = await run()
    if (E.isLeft(read)) findings.push(fault(name, read.left, 'Correct this first: other checks may depend on it'))
    else findings.push(...read.right)
  }
  return findings
}

const marks: Readonly<Record<Finding['level'], string>> = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' }

const lineOf = ({ check, level, text, remedy }: Finding): string =>
  `${marks[level]} ${check}: ${printable(text)}${remedy === undefined ? '' : `\n        ${printable(remedy)}`}`

const reportText = (findings: Findings, faults: number): string => {
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const sum = `${counted(faults, 'fault', 'faults')}, ${counted(warnings, 'warning', 'warnings')}`
  return [...findings.map(lineOf), sum].join('\n')
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'look for faults of the installation, and name the remedy of each; the status is 1 if there is one',
  details:
    'The command checks files, disk, clock, settings, keys, the encryption key, logout notifications, clients with a metadata ' +
    'document, clients that settings name, and instances, and changes nothing. It checks the store only if the files have no fault.',
  operand: {
    name: 'URL',
    description:
      'the URL of the metadata document of a client, which the command requests once and compares with the approved one',
    optional: true,
  },
  options: [
    {
      name: 'reach',
      description:
        'send a request to base-url as well, which the command does by default only if outbound-fetches is true',
    },
    json,
  ],
  example: 'clientele doctor --reach',
  run: withSettings(async ({ config, resolved }, terminal, invocation) => {
    const { operand, switches } = invocation
    const read = operand === undefined ? undefined : clientIdUrl(operand)
    if (read !== undefined && read.kind !== 'url')
      return refuse(terminal, `the URL is not that of a document: see clientele explain ${printable(operand ?? '')}`, 2)
    const base = switches.includes('reach') || config['outbound-fetches']
    const found = await diagnose(config, { base, document: read?.url }, epochSeconds(Date.now()))
    const findings = [ok('settings', `Judged by ${judgedBy(resolved)}`), ...found]
    const faults = findings.filter(({ level }) => level === 'fault').length
    const healthy = faults === 0
    print(terminal, invocation, { healthy, findings }, () => reportText(findings, faults))
    return healthy ? 0 : 1
  }),
}
