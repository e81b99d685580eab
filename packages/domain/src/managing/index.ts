// What an operator sees of clients, and the queries that choose among them.
export * from './filters.js'
export * from './query.js'
