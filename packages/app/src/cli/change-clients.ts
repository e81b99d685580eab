// What suspends, resumes, approves, refuses or deletes one client, or all that filters choose (docs/operate/operators.md#managing-clients); and
// the filters, which are those of GET /manage/v1/clients.
import { type BulkChange, decodeClientQuery, parameterTexts } from '@clientele/domain/managing'
import { noSuchClient } from '../manage/manage.js'
import { type Many, changeOptions } from './change-many.js'
import { type Filter, type Filters, filterOption } from './filters.js'

const filter = filterOption(parameterTexts)

const options: ReadonlyArray<Filter> = [
  filter('search', 'TEXT', 'clients whose client_id, name, software_id, contacts or hosts contain this text', 'q'),
  filter('state', 'STATE', 'clients in this state'),
  filter('registered-by', 'AUTHORITY', 'clients that this authority registered'),
  filter('origin', 'ORIGIN', 'clients that were registered in this way'),
  filter('token', 'FINGERPRINT', 'the client that this token registered'),
  filter('statement-issuer', 'ISSUER', 'clients with a software statement of this issuer'),
  filter('declared', 'SET', 'clients of this set, which clients apply declares'),
  filter('software-id', 'SOFTWARE_ID', 'clients with this software_id'),
  filter('since', 'TIME', 'clients registered at this time or later'),
  filter('idle-since', 'TIME', 'clients registered before this time, and not used since'),
  { name: 'never-used', description: 'clients that were never used', parameter: 'never_used' },
]

export const clientFilters: Filters = { options, texts: parameterTexts, decode: decodeClientQuery }

/** Those of `clients list`. */
export const listedClientFilters: Filters = {
  ...clientFilters,
  options: [
    ...options,
    filter('fields', 'NAMES', 'show only these members'),
    filter('after', 'NEXT', 'go on where an earlier list ended'),
  ],
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
