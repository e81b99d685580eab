import { query } from './query.js'

/** The rows that all ended connections have read. */
export const rowsRead = async (url: string): Promise<Readonly<Record<'clients' | 'client_texts', number>>> => {
  const rows = await query(
    url,
    'SELECT relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables',
  )
  const of = (table: string): number => Number(rows.find(({ relname }) => relname === table)?.['read'])
  return { clients: of('clients'), client_texts: of('client_texts') }
}
