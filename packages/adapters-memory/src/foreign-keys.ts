import * as E from 'fp-ts/lib/Either.js'
import { unavailable, type ForeignKeys } from '@clientele/domain'
import { writeAudit } from './audit-log.js'
import { emptyState, type State } from './state.js'
import { step } from './step.js'

export const inMemoryForeignKeys = (state: State = emptyState()): ForeignKeys => {
  const keys = state.foreignKeys
  return {
    readForeignKeys: step(() => E.right([...keys.values()])),
    addForeignKeys: (added, audit) =>
      step(() => {
        const kids = new Set(added.map(({ kid }) => kid))
        if (kids.size < added.length || added.some(({ kid }) => keys.has(kid))) return E.left(unavailable('taken'))
        for (const key of added) keys.set(key.kid, key)
        writeAudit(state, audit)
        return E.right(undefined)
      }),
    removeForeignKey: (kid, audit) =>
      step(() => {
        const removed = keys.delete(kid)
        if (removed) writeAudit(state, audit)
        return E.right(removed)
      }),
  }
}
