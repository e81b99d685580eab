import { ownBound, rule } from './rule-text.js'

export const operatorRules = {
  'operator-scope': rule(
    'must be privileges separated by one space, of clients:read, clients:secrets, clients:write, tokens, keys, sessions, deliveries, audit, metrics',
    'RFC 6749 §3.3',
  ),
  'operator-token-name': rule('must be 1 to 80 characters, without control characters', ownBound),
  'operator-token-lifetime': rule('must be a whole number of seconds from 1 to 31536000 (a year)', ownBound),
} as const
