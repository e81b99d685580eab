// All works. The documents come before the logout confirmation page, for which a key is added to the key set.
import { works as authorize } from './works/authorize.mjs'
import { works as change } from './works/change.mjs'
import { works as documents } from './works/documents.mjs'
import { works as list } from './works/list.mjs'
import { works as logoutConfirmation } from './works/logout-confirmation.mjs'
import { works as postgresql } from './works/postgresql.mjs'
import { works as readOne } from './works/read-one.mjs'
import { works as register } from './works/register.mjs'
import { works as start } from './works/start.mjs'

export const works = [
  register,
  readOne,
  documents,
  logoutConfirmation,
  authorize,
  change,
  list,
  start,
  postgresql,
].flat()
