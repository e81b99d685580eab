// The claims on notifications with their ends; and the receiver of each notification, because a receiver has one
// holder.
import type Database from 'better-sqlite3'
import { receiverOf } from '@clientele/domain'

export const notificationClaims = `
ALTER TABLE logout_notices ADD COLUMN receiver TEXT NOT NULL DEFAULT '';
ALTER TABLE logout_notices ADD COLUMN claimed_by TEXT;
ALTER TABLE logout_notices ADD COLUMN claimed_until INTEGER;

CREATE INDEX logout_notices_claimed ON logout_notices (receiver, claimed_until, claimed_by)
  WHERE claimed_by IS NOT NULL;
`

/** Sets the receiver of notifications that were written before the column was added. */
export const nameReceivers = (db: Database.Database): void => {
  const select = db.prepare<[], { readonly uri: string }>("SELECT DISTINCT uri FROM logout_notices WHERE receiver = ''")
  const update = db.prepare('UPDATE logout_notices SET receiver = ? WHERE uri = ?')
  for (const { uri } of select.all()) update.run(receiverOf({ uri }), uri)
}
