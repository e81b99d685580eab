// Clients by the trigrams of a text. Those that are not indexed yet are candidates as well.
import type { ClientFilter } from '@clientele/domain'
import { requiredTrigrams } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import { endOfBlock, matchIn } from './search-tokens.js'

/** Clients that the filter may choose: their ordinals, and where the look ended. */
export type Candidates = { readonly ordinals: ReadonlyArray<unknown>; readonly end: number }

/** Candidates in one step, of whose metadata `matches` reads the texts: most of them match. */
const minCandidates = 100
/** Milliseconds after which no further block is read in the step: the next page goes on. */
const patience = 10

const selectIndexed = 'SELECT indexed_to FROM client_search_progress'
const selectDue = 'SELECT ordinal FROM client_search_due WHERE ordinal > ? AND ordinal <= ? ORDER BY ordinal LIMIT ?'
const selectFound = `
SELECT rowid FROM client_search WHERE client_search MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?`
const selectNew = 'SELECT ordinal FROM clients WHERE ordinal > ? AND ordinal <= ? ORDER BY ordinal LIMIT ?'

const endOf = (ordinals: ReadonlyArray<unknown>, most: number, end: number): number =>
  ordinals.length === most ? Number(ordinals.at(-1)) : end

type Find = (match: (ordinal: number) => string, after: number, to: number, most: number) => Candidates

/** The indexed clients, block by block. */
const createFindIndexed = (db: Database.Database): Find => {
  const found = db.prepare(selectFound).pluck()
  return (match, after, to, most) => {
    const ordinals: Array<unknown> = []
    const began = performance.now()
    let end: number = after
    do {
      const last = Math.min(to, endOfBlock(end + 1))
      const wanted = most - ordinals.length
      const inBlock = found.all(match(end + 1), end, last, wanted)
      ordinals.push(...inBlock)
      end = endOf(inBlock, wanted, last)
    } while (end < to && ordinals.length < most && performance.now() - began < patience)
    return { ordinals, end }
  }
}

export const createFindByText = (
  db: Database.Database,
): ((filter: ClientFilter, after: number, last: number, limit: number) => Candidates) => {
  const indexed = db.prepare(selectIndexed).pluck()
  const due = db.prepare(selectDue).pluck()
  const unindexed = db.prepare(selectNew).pluck()
  const findIndexed = createFindIndexed(db)
  return (filter, after, last, limit) => {
    const most = Math.max(minCandidates, limit)
    const trigrams = requiredTrigrams(filter)
    const indexedTo = Number(indexed.get())
    if (trigrams.length === 0 || after >= indexedTo) {
      const ordinals = unindexed.all(after, last, most)
      return { ordinals, end: endOf(ordinals, most, last) }
    }
    const byTrigrams = findIndexed(matchIn(trigrams), after, Math.min(indexedTo, last), most)
    const changed = due.all(after, byTrigrams.end, most)
    const end = endOf(changed, most, byTrigrams.end)
    const ordinals = [...new Set([...byTrigrams.ordinals, ...changed])].filter((ordinal) => Number(ordinal) <= end)
    return { ordinals, end }
  }
}
