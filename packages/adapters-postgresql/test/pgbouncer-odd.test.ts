import { runHalfBehindPgbouncer } from './support/pgbouncer-suite.js'

runHalfBehindPgbouncer('odd')
