import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { selectRows } from '../src/tx.js'
import { inFolder } from './support/temporary-store.js'

const Rows = suite('rows of one hidden class')
const it = law(Rows)

const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.constant(null))

it(
  'rows have the columns and values that SQLite gives',
  [fc.array(fc.record({ id: fc.string(), first: value, second: value }), { maxLength: 5 })],
  (inserted) => {
    const db = new Database(':memory:')
    db.exec('CREATE TABLE it (id TEXT, first ANY, second ANY)')
    const insert = db.prepare('INSERT INTO it VALUES (@id, @first, @second)')
    for (const row of inserted) insert.run(row)
    const sql = 'SELECT second AS last, it.*, 1 FROM it WHERE id >= ? ORDER BY rowid'
    const plain = db.prepare(sql)
    const rows = selectRows(db, sql)
    assert.equal(rows.all(''), plain.all(''))
    assert.equal(rows.get(''), plain.get(''))
    db.close()
  },
)

Rows(
  'a column that another connection adds later comes after all others',
  inFolder((file) => {
    const one = new Database(file)
    const other = new Database(file)
    one.exec("CREATE TABLE it (id TEXT); INSERT INTO it VALUES ('a')")
    const rows = selectRows(one, 'SELECT * FROM it')
    assert.equal(rows.all(), [{ id: 'a' }])
    other.exec("ALTER TABLE it ADD COLUMN later TEXT DEFAULT 'b'")
    assert.equal(rows.all(), [{ id: 'a' }])
    assert.equal(selectRows(one, 'SELECT * FROM it').get(), { id: 'a', later: 'b' })
    for (const db of [one, other]) db.close()
    return Promise.resolve()
  }),
)

Rows.run()
