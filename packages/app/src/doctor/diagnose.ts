// What clientele doctor reads of the store, of the running service and of the public address; nothing is changed.
import { inspectDatabase } from '@clientele/adapters-sqlite'
import { ClientIdUrl } from '@clientele/domain/client'
import { type Unavailable, epochSeconds } from '@clientele/domain/kernel'
import { describeProvider } from '@clientele/domain/operations'
import { type LoginRefused, eachClientOfMaster } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { chosenLogin } from '../config/chosen-login.js'
import { type DataFiles, dataFiles } from '../config/data-files.js'
import type { Config } from '../config/settings.js'
import { upstreamLogin } from '../login/create-login.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { documentAt, storedDocuments } from './diagnose-documents.js'
import { fileFindings, settingFindings } from './diagnose-host.js'
import {
  type Finding,
  auditClockFindings,
  type NamedClient,
  clockFinding,
  discoveryFinding,
  encryptionFindings,
  fault,
  instanceFindings,
  keyFindings,
  namedFindings,
  notificationFinding,
  ok,
  removalsFinding,
  warning,
} from './findings.js'
import { listAudit } from '../cli/audit.js'
import { checkEncryptionKeys } from '../cli/encryption-keys.js'
import { listRemovals, showClient } from '../cli/clients.js'
import { listInstances } from '../cli/service.js'
import { listKeys } from '../cli/keys.js'
import { listPending } from '../cli/logouts.js'
import { noSuchClient } from '../manage/manage.js'
import { readAnswer } from '../manage/ask.js'

type Findings = ReadonlyArray<Finding>

const Metadata = t.type({ issuer: t.string, id_token_signing_alg_values_supported: t.readonlyArray(t.string) })
type Metadata = t.TypeOf<typeof Metadata>

const metadataPath = '/.well-known/openid-configuration'

const failed =
  (check: string) =>
  (message: string): Findings => [fault(check, message, 'Correct this first: other checks may depend on it')]

const judged =
  <A>(check: string, judge: (value: A) => Findings) =>
  async (read: TE.TaskEither<string, A>): Promise<Findings> =>
    pipe(await read(), E.match(failed(check), judge))

const databaseFindings = ({ database }: DataFiles): Promise<Findings> =>
  pipe(
    inspectDatabase(database),
    TE.mapLeft(({ message }) => message),
    judged('database', ({ journal_mode, log_bytes, differences }) => [
      journal_mode === 'wal'
        ? ok('database', 'The database has a write-ahead log; the service writes it with synchronous=FULL')
        : ok('database', `The journal mode is ${journal_mode}: the next start sets the write-ahead log`),
      ...(differences.length === 0
        ? []
        : [
            fault(
              'database',
              `The database has another schema than this service makes: ${differences.join(', ')}`,
              'Undo this, or restore a backup: no restoration takes a backup of it',
            ),
          ]),
      ...(log_bytes > 268_435_456
        ? [
            warning(
              'database',
              `The log has ${log_bytes} octets`,
              'End the process that reads the database for so long',
            ),
          ]
        : []),
    ]),
  )

// As the service describes itself, so that no request is necessary.
const promisedBySettings = (config: Config): ReadonlyArray<string> => {
  const issuer = baseUrlAt(config, config.port)
  const metadata = describeProvider({
    ...registrationSettings(config, issuer),
    issuer,
    jwksUri: issuer,
    registrationEndpoint: issuer,
    endSession: undefined,
  })
  return Metadata.is(metadata) ? metadata.id_token_signing_alg_values_supported : []
}

const keyStateFindings = (config: Config, at: number): Promise<Findings> =>
  pipe(
    listKeys(config),
    judged('keys', ({ keys }) => [
      ...keyFindings(keys, at),
      discoveryFinding('The metadata by the settings', promisedBySettings(config), keys),
      clockFinding(keys, at),
    ]),
  )

const upstreamReason = (failure: LoginRefused | Unavailable): string =>
  failure.error === 'unavailable' ? String(failure.detail) : failure.reason

const auditFindings = (config: Config, at: number): Promise<Findings> =>
  pipe(
    listAudit(config, { since: String(at), limit: '1' }, () => undefined),
    judged('audit log', ({ rows }) =>
      auditClockFindings(
        rows.flatMap(({ entry }) => entry?.at ?? []),
        at,
      ),
    ),
  )

const reachLimit = 10_000

const reached = (url: string): TE.TaskEither<string, { readonly metadata: Metadata; readonly seconds: number }> =>
  pipe(
    TE.tryCatch(
      () => fetch(`${url}${metadataPath}`, { signal: AbortSignal.timeout(reachLimit), redirect: 'error' }),
      () => `${url}${metadataPath} does not answer: check the name, the proxy and its certificate`,
    ),
    TE.bindTo('response'),
    TE.bind('metadata', ({ response }) => readAnswer(Metadata)(response)),
    TE.map(({ response, metadata }) => ({
      metadata,
      seconds: Math.abs(Date.now() - Date.parse(response.headers.get('date') ?? new Date().toUTCString())) / 1000,
    })),
  )

const publicFindings = (config: Config, url: string): Promise<Findings> =>
  pipe(
    reached(url),
    TE.bind('list', () => listKeys(config)),
    judged('base-url', ({ metadata, seconds, list }) => [
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

// A document is named by its URL, which nobody else can register: it may be that no end-user has approved it yet.
const namedBy = (config: Config): ReadonlyArray<Omit<NamedClient, 'registered_by'>> => {
  const inSetting = (setting: string, ids: ReadonlyArray<string>) => ids.map((id) => ({ setting, id }))
  const policy = config['resource-policy'] ?? []
  const clients = policy.flatMap((rule) => rule.clients ?? []).filter((id) => !ClientIdUrl.is(id))
  const servers = policy.flatMap((rule) => rule.introspected_by ?? [])
  return [
    ...inSetting('first-party-clients', config['first-party-clients']),
    ...inSetting(
      'introspection-clients',
      config['introspection-clients'].filter((id) => id !== eachClientOfMaster),
    ),
    ...inSetting('clients in resource-policy', [...new Set(clients)]),
    ...inSetting('introspected_by in resource-policy', [...new Set(servers)]),
  ]
}

const registeredBy = (config: Config, id: string): TE.TaskEither<string, string | undefined> =>
  pipe(
    showClient(config, id),
    TE.map(({ registered_by }): string | undefined => String(registered_by)),
    TE.orElse((refusal) => (refusal === noSuchClient ? TE.right(undefined) : TE.left(refusal))),
  )

const namedClientFindings = (config: Config): Promise<Findings> =>
  pipe(
    namedBy(config),
    TE.traverseSeqArray((named) =>
      pipe(
        registeredBy(config, named.id),
        TE.map((registered_by) => ({ ...named, registered_by })),
      ),
    ),
    judged('clients', namedFindings),
  )

const sharedFindings = (config: Config): Promise<Findings> =>
  pipe(
    listInstances(config),
    judged('instances', ({ instances }) => instanceFindings(instances)),
  )

// A token request with a code that nobody issued tells whether the provider knows the client.
const upstreamFindings = async (config: Config): Promise<Findings> => {
  const login =
    chosenLogin(config) === 'upstream'
      ? upstreamLogin({ config, outbound: undefined, now: () => epochSeconds(Date.now()) })
      : undefined
  if (login === undefined) return []
  const issuer = config['upstream-issuer'] ?? ''
  const described = await login.check()
  if (E.isLeft(described))
    return [
      fault(
        'login',
        `${issuer} cannot be used: ${upstreamReason(described.left)}`,
        'Correct upstream-issuer, which its metadata must name exactly, or start that provider',
      ),
    ]
  const known = await login.checkCredentials()
  const required = config['upstream-required-claims']?.map(({ claim }) => claim).join(', ')
  return [
    ok('login', `${issuer} answers with its metadata`),
    E.isRight(known)
      ? ok('login', `${issuer} takes the credentials of upstream-client-id`)
      : fault(
          'login',
          `${issuer} does not take the credentials: ${upstreamReason(known.left)}`,
          'Correct upstream-client-id, upstream-client-secret or upstream-client-authentication',
        ),
    required === undefined
      ? ok('login', `Every end-user of ${issuer} may sign in; upstream-required-claims restricts them`)
      : ok('login', `Who signs in must have the claims that upstream-required-claims demands: ${required}`),
  ]
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
  const host = files === undefined ? [] : fileFindings(config, files)
  const store = async (): Promise<Findings> => [
    ...(files === undefined ? await sharedFindings(config) : await databaseFindings(files)),
    ...(await keyStateFindings(config, at)),
    ...(await auditFindings(config, at)),
    ...(await pipe(
      checkEncryptionKeys(config, () => undefined),
      judged('encryption key', encryptionFindings),
    )),
    ...(await pipe(
      listPending(config),
      judged('logouts', (pending) => [notificationFinding(pending, config['outbound-fetches'], at)]),
    )),
    ...(await pipe(
      listRemovals(config, { after: undefined, limit: 1 }),
      judged('removals', ({ announced }) => [removalsFinding(announced)]),
    )),
    ...(await pipe(storedDocuments(config), judged('documents', identity))),
    ...(config.engine === 'none' ? [] : await namedClientFindings(config)),
  ]
  // A command on the store would make a secret that is missing.
  const isWhole = host.every(({ level }) => level !== 'fault')
  return [
    ...host,
    ...settingFindings(config),
    ...(await upstreamFindings(config)),
    ...(isWhole ? await store() : []),
    ...(base && isWhole && url !== undefined ? await publicFindings(config, url) : []),
    ...(document !== undefined && isWhole
      ? await pipe(documentAt(config, document), judged('document', identity))
      : []),
  ]
}
