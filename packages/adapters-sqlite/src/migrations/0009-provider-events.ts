// The events for a provider in their order. A position is never reused. Events are sealed, because the file must not
// reveal deleted clients or ended sessions.
export const providerEvents = `
CREATE TABLE provider_events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  sealed TEXT NOT NULL
) STRICT;
`
