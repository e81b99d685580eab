// End-user sessions, RP-initiated logout and the notifications of clients (OpenID Connect Logout).
export * from './confirm.js'
export * from './delivery.js'
export * from './hint.js'
export * from './notify.js'
export * from './sessions.js'
