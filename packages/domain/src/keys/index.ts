// The life cycle of keys: rings, roll-over, the published key set (RFC 7517), and which key signs.
export * from './by-operator.js'
export * from './published.js'
export * from './ring.js'
export * from './roll-over.js'
export * from './signing.js'
