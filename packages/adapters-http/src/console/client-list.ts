// The list of clients, and changes of all that a search finds.
import { listOf } from './asking.js'
import { type BulkPage, changeAll } from './bulk.js'
import { type Page, type Shown, type Visit, addressOf, listPage, pageOf, parameterOf, pathOf } from './page.js'

const filterNames = ['q', 'state', 'origin', 'registered_by', 'software_id', 'since', 'idle_since', 'declared']

const clientsPage = (visit: Visit): Promise<Shown> =>
  listPage(
    visit,
    'clients',
    { title: 'Clients', route: '/manage/v1/clients', filter: filterNames, limit: '50' },
    (body, filter) => ({
      clients: listOf(body, 'clients'),
      isFiltered: Object.keys(filter).length > 0,
      first: parameterOf(visit, 'after') === '' ? undefined : addressOf(pathOf('clients'), filter),
    }),
  )

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
  clientsPage,
  async (visit, fields) => (await changeAll(bulk, visit, fields)) ?? clientsPage(visit),
)
