// What suspends, resumes, approves, refuses or deletes one client, or all that filters choose (docs/operate/operators.md#managing-clients); and
// the filters, which are those of GET /manage/v1/clients.
import { type BulkChange, decodeClientQuery, parameterTexts } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import { noSuchClient } from '../manage/manage.js'
import { type Filters, type Many, changeOptions, filterOption } from './change-many.js'
import type { CommandOption } from './command.js'

const parameterOf = (name: string): string => (name === 'search' ? 'q' : name.replaceAll('-', '_'))

const filter = filterOption((name) => parameterTexts[parameterOf(name)])

const withValue: ReadonlyArray<CommandOption> = [
  filter('search', 'TEXT', 'clients whose client_id, name, software_id, contacts or hosts contain this text'),
  filter('state', 'STATE', 'clients in this state'),
  filter('registered-by', 'AUTHORITY', 'clients that this authority registered'),
  filter('origin', 'ORIGIN', 'clients that were registered in this way'),
  filter('token', 'FINGERPRINT', 'the client that this token registered'),
  filter('statement-issuer', 'ISSUER', 'clients with a software statement of this issuer'),
  filter('declared', 'SET', 'clients of this set, which clients apply declares'),
  filter('software-id', 'SOFTWARE_ID', 'clients with this software_id'),
  filter('since', 'TIME', 'clients registered at this time or later'),
  filter('idle-since', 'TIME', 'clients registered before this time, and not used since'),
]

/** What `clients list` has beside the filters. */
const ofList: ReadonlyArray<CommandOption> = [
  filter('fields', 'NAMES', 'show only these members'),
  filter('after', 'NEXT', 'go on where an earlier list ended'),
]

export const clientFilters: Filters = {
  withValue,
  ofList,
  switches: [{ name: 'never-used', description: 'clients that were never used', member: 'never_used' }],
  parameterOf,
  faultOf: (parameter, value) =>
    E.isRight(decodeClientQuery({ [parameter]: [value] })) ? undefined : (parameterTexts[parameter] ?? 'valid'),
}

type Texts = Pick<Many, 'verb' | 'doing' | 'done' | 'unchanged' | 'needs'>

const textsOf: Readonly<Record<BulkChange, Texts>> = {
  suspension: {
    verb: 'suspend',
    doing: 'Suspending',
    done: 'suspended',
    unchanged: 'suspended before, or deleted meanwhile',
  },
  resumption: { verb: 'resume', doing: 'Resuming', done: 'resumed', unchanged: 'not suspended, or deleted meanwhile' },
  removal: { verb: 'delete', doing: 'Deleting', done: 'deleted', unchanged: 'deleted meanwhile' },
  approval: {
    verb: 'approve',
    doing: 'Approving',
    done: 'approved',
    unchanged: 'in force before, or deleted meanwhile',
  },
  refusal: {
    verb: 'refuse',
    doing: 'Refusing',
    done: 'refused',
    unchanged: 'in force, refused before with this reason, or deleted meanwhile',
    needs: { option: 'reason', text: 'say why by --reason TEXT, which the developer of the client reads' },
  },
}

export const manyClients = (change: BulkChange): Many => ({
  filters: clientFilters,
  path: `/manage/v1/clients/${change}`,
  one: 'client',
  several: 'clients',
  operand: 'CLIENT_ID',
  exampleOfFilter: '--state',
  notFound: noSuchClient,
  ...textsOf[change],
})

export const clientChangeOptions = changeOptions(clientFilters, 'clients')
