// The logout confirmations that an end-user declined are JSON in a session; the digest in each is named after its confirmation.
export const logoutConfirmations = `
UPDATE end_user_sessions SET declined = replace(declined, '{"dialog":', '{"confirmation":') WHERE declined <> '[]';
`
