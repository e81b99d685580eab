// The pages of one client, of its form, of a new one, and of those that wait for an approval.
import { type ClientState, type Door, type DoorAnswers, answersOfDoors, doors } from '@clientele/domain/life-cycle'
import * as E from 'fp-ts/lib/Either.js'
import { readJson } from '../http/request.js'
import { utf8 } from '../http/response.js'
import { type Answered, type ShownRefusal, isDone, listOf, membersOf, refusalOf, textOf } from './asking.js'
import {
  formOf,
  inFields,
  keepingEmpty,
  metadataIn,
  metadataOf,
  patchOf,
  patched,
  recordedTemplates,
  templates,
  typedIn,
  typedOf,
} from './client-form.js'
import {
  type Fields,
  type Gone,
  type Notice,
  type Page,
  type Shown,
  type Visit,
  addressOf,
  listPage,
  pageOf,
  parameterOf,
  refusedOn,
} from './page.js'

const addressOfClient = (id: string): string => `/console/clients/${encodeURIComponent(id)}`
const apiOf = (id: string): string => `/manage/v1/clients/${encodeURIComponent(id)}`

// One client.

const isState = (text: string | undefined): text is ClientState => text !== undefined && text in answersOfDoors

const doorTexts: Readonly<Record<Door, string>> = {
  registration: 'Registering the same again',
  configuration: 'Reading and changing its registration',
  authorize: 'Sign-in',
  token: 'Tokens',
  logout: 'Return after a logout',
}

const answerTexts: Readonly<Record<DoorAnswers[Door], string>> = {
  same_client_id: 'gets the same client_id, where the policy permits that',
  new_client_id: 'makes another client',
  answered: 'is answered',
  forbidden: '403: the operator has suspended it',
  unauthorized: '401: there is no such registration',
  page: 'a page says why not',
  invalid_client: 'the error invalid_client',
  access_denied: 'the error access_denied, with what it waits for',
  redirect: 'leads back to the application',
  no_redirect: 'ends at a page of this service',
}

const shownValue = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  if (typeof value === 'object' && value !== null) return [JSON.stringify(value, undefined, 2)]
  return [String(value)]
}

const ownFields = [
  'client_id',
  'client_name',
  'state',
  'refusal_reason',
  'registered_by',
  'origin',
  'token',
  'statement_issuer',
  'declared',
  'client_id_issued_at',
  'client_secret_expires_at',
  'last_use',
  'suspended_at',
  'entity_tag',
  'policy_entry',
]

const metadataRows = (
  client: unknown,
): ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<string> }> =>
  membersOf(client)
    .filter(([name, value]) => !ownFields.includes(name) && value !== undefined)
    .map(([name, value]) => ({ name, values: shownValue(value) }))

const historyOf = async ({ ask, may, id }: Visit): Promise<ReadonlyArray<unknown>> =>
  may('audit')
    ? listOf((await ask('GET', '/manage/v1/audit', { query: { client_id: [id], limit: ['10'] } })).body, 'rows')
    : []

const connectionsOf = async ({ ask, may, id }: Visit): Promise<ReadonlyArray<unknown>> =>
  may('connections:read')
    ? listOf(
        (await ask('GET', '/manage/v1/connections', { query: { client_id: [id], limit: ['5'] } })).body,
        'connections',
      )
    : []

const secretsOf = async ({ ask, id }: Visit): Promise<ReadonlyArray<unknown>> =>
  listOf((await ask('GET', `${apiOf(id)}/client-secrets`)).body, 'secrets')

const unknownClient = (answered: Answered): Shown => ({
  template: 'message',
  title: answered.status === 404 ? 'There is no such client' : 'The client cannot be shown',
  status: answered.status,
  data: {
    text:
      answered.status === 404
        ? 'It may have been deleted meanwhile: the page of removed clients lists those that can be restored.'
        : (refusalOf(answered)?.description ?? ''),
  },
})

/** What the answer to an approval says of the client, as the page of a bulk approval shows it. */
const warnedIn = ({ body }: Answered): ReadonlyArray<unknown> => {
  const warnings = listOf(body, 'warnings')
  return warnings.length === 0 ? [] : [{ client_id: textOf(body, 'client_id'), warnings }]
}

type ClientData = { readonly secrets?: unknown; readonly warned?: ReadonlyArray<unknown> }

const clientPage = async (visit: Visit, { secrets, warned = [] }: ClientData = {}): Promise<Shown> => {
  const found = await visit.ask('GET', apiOf(visit.id))
  if (!isDone(found)) return unknownClient(found)
  const [rows, connections, own] = await Promise.all([historyOf(visit), connectionsOf(visit), secretsOf(visit)])
  const state = textOf(found.body, 'state')
  return {
    template: 'client',
    title: textOf(found.body, 'client_name') ?? visit.id,
    data: {
      client: found.body,
      address: addressOfClient(visit.id),
      metadata: metadataRows(found.body),
      doors: isState(state)
        ? doors.map((door) => ({ title: doorTexts[door], answer: answerTexts[answersOfDoors[state][door]] }))
        : [],
      rows,
      connections,
      ownSecrets: own,
      secrets,
      warned,
    },
  }
}

type Action = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** What was done; an action without one shows credentials, which stand on the page that answers and nowhere else. */
  readonly notice?: Notice
  readonly leaves?: true
}

// What a button of the page asks of the routes.
const actionsOn = (id: string, reason: string): Readonly<Record<string, Action>> => ({
  suspend: { method: 'POST', path: `/clients/${encodeURIComponent(id)}/suspension`, notice: 'suspended' },
  resume: { method: 'DELETE', path: `/clients/${encodeURIComponent(id)}/suspension`, notice: 'resumed' },
  approve: { method: 'POST', path: `${apiOf(id)}/approval`, notice: 'approved' },
  refuse: { method: 'POST', path: `${apiOf(id)}/refusal`, body: { reason }, notice: 'refused' },
  'drop-secret': { method: 'DELETE', path: `${apiOf(id)}/client-secrets/preceding`, notice: 'secret_dropped' },
  delete: { method: 'DELETE', path: apiOf(id), notice: 'removed', leaves: true },
  secrets: { method: 'GET', path: `${apiOf(id)}/secrets` },
  renew: { method: 'POST', path: `/clients/${encodeURIComponent(id)}/renewal` },
  'add-secret': { method: 'POST', path: `${apiOf(id)}/client-secrets`, body: {} },
})

/** Does what a button says, with the version of the client that the page showed. */
const changeOne = async (
  { ask }: Visit,
  id: string,
  { one }: Fields,
): Promise<(Answered & { readonly action: Action }) | undefined> => {
  const name = one('action')
  const all = actionsOn(id, one('reason').trim())
  const action = Object.hasOwn(all, name) ? all[name] : undefined
  if (action === undefined) return undefined
  const { method, path, body } = action
  const version = method === 'GET' || one('version') === '' ? {} : { ifMatch: one('version') }
  return { ...(await ask(method, path, { body, ...version })), action }
}

const actOnClient = async (visit: Visit, fields: Fields): Promise<Shown | Gone> => {
  const { id } = visit
  const changed = await changeOne(visit, id, fields)
  if (changed === undefined) return clientPage(visit)
  if (!isDone(changed)) return refusedOn(await clientPage(visit), refusalOf(changed))
  const { leaves, notice } = changed.action
  if (notice === undefined) return clientPage(visit, { secrets: changed.body })
  const warned = warnedIn(changed)
  if (warned.length > 0) return clientPage(visit, { warned })
  return { to: leaves === true ? '/console/clients' : addressOfClient(id), notice }
}

// The form of a client, and of a new one.

/** The refusal of a form, whose faults lead to the fields. */
const inForm = (refusal: ShownRefusal | undefined): ShownRefusal | undefined =>
  refusal === undefined ? undefined : { ...refusal, faults: inFields(refusal.faults) }

type Editing = {
  readonly client: unknown
  readonly version: string | undefined
  /** The metadata with which the form was opened: what it changes, differs from them. */
  readonly opened: ReturnType<typeof metadataIn>
  readonly refusal?: ShownRefusal | undefined
  readonly typed?: ReturnType<typeof typedIn>
  /** What somebody else stored meanwhile, and what is typed here where that is another value. */
  readonly others?: ReadonlyArray<{ readonly name: string; readonly stored: unknown; readonly typed: unknown }>
  /** Members that stay as they are stored. */
  readonly kept?: ReadonlyArray<string>
}

/** Beside all fields, it must fit into the body of the form: much metadata is compared by the operator alone. */
const maxOpened = 16_384

const sentBack = (opened: Editing['opened']): string => {
  const text = JSON.stringify(opened)
  return encodeURIComponent(text).length > maxOpened ? '' : text
}

const editPage = (id: string, { client, version, opened, refusal, typed, others = [], kept = [] }: Editing): Shown =>
  refusedOn(
    {
      template: 'client-form',
      title: `Change ${textOf(client, 'client_name') ?? id}`,
      data: {
        address: `${addressOfClient(id)}/edit`,
        back: addressOfClient(id),
        submit: 'Store the changes',
        version,
        opened: sentBack(opened),
        kept,
        others,
        ...formOf(typed ?? typedOf(opened), refusal?.faults ?? []),
      },
    },
    inForm(refusal),
  )

const showEdit = async ({ ask, id }: Visit): Promise<Shown> => {
  const found = await ask('GET', apiOf(id))
  return isDone(found)
    ? editPage(id, { client: found.body, version: found.entityTag, opened: metadataIn(found.body) })
    : unknownClient(found)
}

const saveEdit = async ({ ask, id }: Visit, fields: Fields): Promise<Shown | Gone> => {
  const found = await ask('GET', apiOf(id))
  if (!isDone(found)) return unknownClient(found)
  const stored = metadataIn(found.body)
  const sent = readJson(utf8(fields.one('opened')))
  const opened = E.isRight(sent) ? metadataIn(sent.right) : stored
  const typed = typedIn(fields)
  const wanted = metadataOf(typed)
  const kept = fields.all('keep')
  const shown = { client: found.body, version: fields.one('version'), opened, typed }
  if (E.isLeft(wanted)) return editPage(id, { ...shown, refusal: wanted.left, kept })
  const changes = Object.entries(patchOf(opened, keepingEmpty(opened, wanted.right)))
  const patch = Object.fromEntries(changes.filter(([name]) => !kept.includes(name)))
  const answered = await ask('PATCH', apiOf(id), { body: patch, ifMatch: fields.one('version') })
  if (isDone(answered)) return { to: addressOfClient(id), notice: 'saved' }
  const refusal = refusalOf(answered)
  if (answered.status !== 412) return editPage(id, { ...shown, typed: typedOf(patched(opened, patch)), refusal })
  const merged = patched(stored, patch)
  const mine = patchOf(stored, merged)
  // Without what was opened, all that differs may be of somebody else.
  const changed = E.isRight(sent) ? patchOf(opened, stored) : mine
  const others = Object.keys(changed).map((name) => ({
    name,
    stored: shownValue(stored[name] ?? '(nothing)'),
    typed: Object.hasOwn(mine, name) ? shownValue(merged[name] ?? '(nothing)') : undefined,
  }))
  return editPage(id, { ...shown, version: found.entityTag, opened: stored, typed: typedOf(merged), refusal, others })
}

const newPage = (template: string, refusal?: ShownRefusal, typed?: ReturnType<typeof typedIn>): Shown => {
  const chosen = [...templates, ...recordedTemplates].find(({ id }) => id === template)
  const shown: Shown =
    chosen === undefined
      ? { template: 'new-client', title: 'Register an application', data: { templates, recorded: recordedTemplates } }
      : {
          template: 'client-form',
          title: `Register: ${chosen.title}`,
          data: {
            address: addressOf('/console/register', { template: [chosen.id] }),
            back: '/console/register',
            submit: 'Register it',
            version: undefined,
            others: [],
            kept: [],
            ...formOf(typed ?? typedOf(metadataIn(chosen.client)), refusal?.faults ?? []),
          },
        }
  return refusedOn(shown, inForm(refusal))
}

const registerNew = async (visit: Visit, fields: Fields): Promise<Shown | Gone> => {
  const template = parameterOf(visit, 'template')
  const typed = typedIn(fields)
  const wanted = metadataOf(typed)
  if (E.isLeft(wanted)) return newPage(template, wanted.left, typed)
  const answered = await visit.ask('POST', '/clients', { body: wanted.right })
  if (!isDone(answered)) return newPage(template, refusalOf(answered), typed)
  const id = textOf(answered.body, 'client_id') ?? ''
  return {
    template: 'registered',
    title: 'The application is registered',
    status: 200,
    data: { client: answered.body, address: addressOfClient(id) },
  }
}

// Clients that wait for an approval.

const waiting = {
  title: 'Approvals',
  route: '/manage/v1/clients',
  filter: [],
  limit: '20',
  by: 'after',
  fixed: { state: ['pending'] },
} as const

const approvalsPage = (visit: Visit, warned: ReadonlyArray<unknown> = []): Promise<Shown> =>
  listPage(visit, 'approvals', waiting, (body) => ({
    clients: listOf(body, 'clients').map((client) => ({
      client,
      address: addressOfClient(textOf(client, 'client_id') ?? ''),
      metadata: metadataRows(client),
    })),
    warned,
  }))

const actOnApproval = async (visit: Visit, fields: Fields): Promise<Shown | Gone> => {
  const isOffered = ['approve', 'refuse'].includes(fields.one('action'))
  const changed = isOffered ? await changeOne(visit, fields.one('client_id'), fields) : undefined
  if (changed !== undefined && isDone(changed)) {
    const warned = warnedIn(changed)
    return warned.length > 0
      ? approvalsPage(visit, warned)
      : { to: '/console/approvals', notice: changed.action.notice }
  }
  return refusedOn(await approvalsPage(visit), changed === undefined ? undefined : refusalOf(changed))
}

export const clientPages: ReadonlyArray<Page> = [
  pageOf('clients', (visit) => Promise.resolve(newPage(parameterOf(visit, 'template'))), registerNew, {
    path: '/console/register',
    needs: ['clients:write'],
  }),
  pageOf('clients', clientPage, actOnClient, { path: '/console/clients/:id' }),
  pageOf('clients', showEdit, saveEdit, {
    path: '/console/clients/:id/edit',
    needs: ['clients:read', 'clients:write'],
  }),
  pageOf('approvals', approvalsPage, actOnApproval),
]
