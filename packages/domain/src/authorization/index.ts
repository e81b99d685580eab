// Who calls, and what they may do: credentials, registrants, operators and their privileges (RFC 6750, RFC 7591 §3).
export * from './credential.js'
export * from './registrant.js'
