import { ownBound, rule } from './rule-text.js'

/** Rules for the end-user sessions that a login system records. */
export const sessionRules = {
  subject: rule('must be 1 to 255 printable ASCII characters', 'OpenID Core §2'),
  'session-lifetime': rule('must be a whole number of seconds from 1 to 31536000 (a year)', ownBound),
  'session-client': rule('must be the client_id of a registered client', 'OpenID Registration §3.2'),
  'session-cookie': rule('must be the value of the session cookie', ownBound),
  'session-member': rule('is not a member of this request: leave it out', ownBound),
} as const
