// Registration: the request, its permission and decision, the stored client and the answer (RFC 7591, RFC 7592).
export * from './decide.js'
export * from './information.js'
export * from './permit.js'
export * from './registered-client.js'
export * from './repetition.js'
export * from './request.js'
export * from './signed-body.js'
export * from './update.js'
