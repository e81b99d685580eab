import { type DigestKeyRow, digestKeyName } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import { onFile } from './store-refusal.js'

const selectKey = 'SELECT sealed FROM secrets WHERE name = ?'
const insertKey = 'INSERT INTO secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
const updateKey = 'UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?'

export const digestKeyRow = (db: Database.Database): DigestKeyRow => {
  const work = onFile(db.name)
  return {
    find: work(() => db.prepare<[string], string>(selectKey).pluck().get(digestKeyName)),
    insert: (sealed) => work(() => db.prepare(insertKey).run(digestKeyName, sealed)),
    replace: (sealed, replacing) => work(() => db.prepare(updateKey).run(sealed, digestKeyName, replacing)),
  }
}
