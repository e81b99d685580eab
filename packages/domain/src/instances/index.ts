// Instances of the service that share a store.
export * from './instances.js'
