// A release with one migration after those of this code.
import { type Migration, type Migrations, migrations } from '../../src/schema.js'
import { lastOf } from '../../src/migrate.js'

export const last = lastOf(migrations)

/** Columns that have a value in all rows, and names that other tables have already, and an index on one. */
export const nextMigration: Migration = {
  number: last + 1,
  worksWith: last,
  statements: `
ALTER TABLE clients ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'any', ADD COLUMN due_at bigint NOT NULL DEFAULT 0;
ALTER TABLE clients ADD COLUMN note text COLLATE "C" NOT NULL DEFAULT 'none';
CREATE INDEX clients_by_note ON clients (note);
`,
}

/** The migrations of that release, of which one has these members in place of its own. */
export const nextMigrations = (changes: Partial<Migration> = {}): Migrations => [
  ...migrations,
  { ...nextMigration, ...changes },
]
