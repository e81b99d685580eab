// The states of a client, and what each endpoint answers in them.
export * from './doors.js'
export * from './states.js'
