/** The statuses of refusals, for programs that report what the service would answer: without a server, and no library. */
export { refusalStatuses } from './http/statuses.js'
