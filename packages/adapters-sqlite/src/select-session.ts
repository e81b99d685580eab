/**
 * The columns of a session, with its clients in their order as JSON: by measurement, this query takes half the time of
 * two.
 */
export const selectSession = `
SELECT cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, declined, version, proof,
  (SELECT json_group_array(json_object('client_id', client_id, 'registration_id', registration_id, 'sub', sub, 'sid', sid))
   FROM (SELECT clients.client_id, clients.registration_id, named.sub, named.sid
         FROM session_clients AS named JOIN clients ON clients.ordinal = named.client
         WHERE named.session = end_user_sessions.ordinal ORDER BY named.place)) AS clients
FROM end_user_sessions`
