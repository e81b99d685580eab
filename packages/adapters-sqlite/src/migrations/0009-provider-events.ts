// What a provider has to be told of, in the order in which it happened. A position is never given to another event. Events are
// sealed, because nothing in the file tells of a client that was deleted or of a session that ended.
export const providerEvents = `
CREATE TABLE provider_events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  sealed TEXT NOT NULL
) STRICT;
`
