// The authorization server: documented clients, scope, artefacts, consent and sign-in elsewhere.
export * from './artefacts.js'
export * from './consent.js'
export * from './decide-document.js'
export * from './documents.js'
export * from './login.js'
export * from './look-alikes.js'
export * from './scope.js'
export * from './seen-documents.js'
