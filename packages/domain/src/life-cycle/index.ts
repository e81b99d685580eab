// The states of a client, and what each endpoint answers in them.
export * from './states.js'
