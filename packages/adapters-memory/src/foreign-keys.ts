import * as E from 'fp-ts/lib/Either.js'
import { unavailable, type ForeignKeys } from '@clientele/domain'
import { emptyState, type State } from './state.js'
import { step } from './step.js'

export const inMemoryForeignKeys = ({ foreignKeys: keys }: Pick<State, 'foreignKeys'> = emptyState()): ForeignKeys => {
  return {
    readForeignKeys: step(() => E.right([...keys.values()])),
    addForeignKeys: (added) =>
      step(() => {
        const kids = new Set(added.map(({ kid }) => kid))
        if (kids.size < added.length || added.some(({ kid }) => keys.has(kid))) return E.left(unavailable('taken'))
        for (const key of added) keys.set(key.kid, key)
        return E.right(undefined)
      }),
    removeForeignKey: (kid) => step(() => E.right(keys.delete(kid))),
  }
}
