// The list of clients, and changes of all that a search finds.
import { listOf, refusalOf } from './asking.js'
import { type BulkPage, changeAll } from './bulk.js'
import {
  type Page,
  type Shown,
  type Visit,
  addressOf,
  nextPageOf,
  pageOf,
  parametersOf,
  pathOf,
  refusedOn,
  shownParameters,
} from './page.js'

const filterNames = ['q', 'state', 'origin', 'registered_by', 'software_id', 'since', 'idle_since', 'declared']
const pageSize = '50'

const listPage = async (visit: Visit): Promise<Shown> => {
  const filter = parametersOf(visit, filterNames)
  const after = parametersOf(visit, ['after'])
  const found = await visit.ask('GET', '/manage/v1/clients', { query: { ...filter, ...after, limit: [pageSize] } })
  const shown: Shown = {
    template: 'clients',
    title: 'Clients',
    data: {
      clients: listOf(found.body, 'clients'),
      filter: shownParameters(visit, filterNames),
      isFiltered: Object.keys(filter).length > 0,
      next: nextPageOf(found, 'clients', filter),
      first: Object.keys(after).length > 0 ? addressOf(pathOf('clients'), filter) : undefined,
    },
  }
  return refusedOn(shown, refusalOf(found))
}

const ofWaiting = 'Clients that are in force stay as they are.'

const bulk: BulkPage = {
  section: 'clients',
  one: 'client',
  several: 'clients',
  filterNames,
  changes: {
    suspension: { verb: 'Suspend', done: 'suspended' },
    resumption: { verb: 'Resume', done: 'resumed' },
    approval: { verb: 'Approve', done: 'approved', note: ofWaiting },
    refusal: { verb: 'Refuse', done: 'refused', takesReason: true, note: ofWaiting },
    removal: {
      verb: 'Delete',
      done: 'deleted',
      warning: 'What is deleted cannot be restored: its credentials, connections and tokens go with it.',
    },
  },
  path: (change) => `/manage/v1/clients/${change}`,
}

export const clientListPage: Page = pageOf(
  'clients',
  listPage,
  async (visit, fields) => (await changeAll(bulk, visit, fields)) ?? listPage(visit),
)
