/**
 * Removes rows that are over, `most` at once, without those that another transaction has locked. They are selected as an
 * array, once: a nested loop would run a subquery again for each row, skip the rows of before, and remove all.
 */
export const forgetRows = (table: string, which: string, most: number): string => `
DELETE FROM ${table} WHERE ctid = ANY (ARRAY
  (SELECT ctid FROM ${table} WHERE ${which} LIMIT ${most} FOR UPDATE SKIP LOCKED))`
