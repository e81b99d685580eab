// The audit log: its rows, their checkpoints, and the verification of both.
export * from './checkpoints.js'
export * from './entries.js'
