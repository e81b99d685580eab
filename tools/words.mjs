// The words to avoid, and their replacements. `names` are identifiers of the code, of which a word in camelCase is a
// part; `start` is the beginning of one; `prose` is comments and documents.
const names = (banned, say) => ({ banned, say, where: ['names'] })
const prose = (banned, say) => ({ banned, say, where: ['prose'] })
const both = (banned, say) => ({ banned, say, where: ['names', 'prose'] })
const start = (banned, say) => ({ banned, say, where: 'start' })

export const words = [
  // One prefix for limits, and one for defaults.
  ...['most', 'longest', 'largest', 'maximum'].map((prefix) => start(prefix, 'max')),
  start('usual', 'default'),

  // Words of the standards.
  both('way back', 'post-logout redirect'),
  both('courier', 'dispatcher'),
  both('outbox', 'pending logout notifications'),
  names('notice', 'notification'),
  names('notices', 'notifications'),
  names('logouts', 'session termination, logout notifications'),
  names('dialog', 'logout confirmation'),
  names('dialogs', 'logout confirmations'),
  names('hinted', 'hint subject'),
  names('compromise', 'revoke'),
  names('stated', 'asserted'),
  names('nobody', 'anonymous'),
  names('asked', 'requested'),
  names('held', 'granted'),
  names('beyond', 'exceeding'),
  names('barred', 'unobtainable'),
  names('spending', 'consumed'),
  names('spent', 'consumed'),

  // Words of the trade.
  names('told', 'reported, notified'),
  names('tell', 'report'),
  names('kept', 'stored, state'),
  names('keep', 'reconcile, store'),
  names('keeper', 'scheduler'),
  names('in turn', 'serialize'),
  names('put off', 'postpone'),
  names('begun anew', 'recreated'),
  names('brought back', 'clamped to the clock'),
  names('promising', 'with promises carried over'),
  names('forgetting', 'without what has expired'),
  names('fresh', 'generated, clock'),
  names('sound', 'valid'),
  names('faulty', 'invalid'),
  names('falls', 'violates the policy'),
  names('fallen', 'non-compliant'),
  names('falling', 'non-compliant'),
  names('tally', 'summary'),
  names('again when', 'retry on'),
  names('and then', 'flatMap'),
  names('and also', 'tap'),
  names('and decide', 'flatMapEither'),
  names('side by side', 'concurrently'),
  names('lanes', 'concurrency'),
  names('turnstile', 'limiter'),
  names('within', 'with timeout'),
  names('know', 'prime'),
  names('telling why', 'reporting errors'),
  names('literally', 'escape pattern'),
  both('the least program', 'the baseline'),

  // Sentences name the party: client, end-user, verifier, receiver, operator.
  ...['whoever', 'whomever', 'nobody', 'anybody', 'somebody', 'everybody'].map((word) => prose(word, 'the party')),
]

/** The words with which the subject of a commit must not begin. */
export const subjectBeginnings = ['tell', 'let', 'format', 'wip', 'misc', 'various', 'stuff', 'fixup!', 'squash!']

/** Names that others chose: names of the wire, of a theme or of a library, in the files that `files` matches. */
export const namesOfOthers = [
  // A handler and a command have the name of their path and words.
  { names: ['postCompromise', 'keysCompromise', 'getLogouts'], files: /^packages\/(adapters-http|app)\/src\// },
  { names: ['post compromise', 'get logouts'], files: /^packages\/adapters-http\/src\// },
  // The member of the answer to GET /logouts, and of `logouts list --json`.
  { names: ['notices'], files: /notifications\.(test\.)?ts$|^packages\/app\/test\/(logout|process)\// },
  // A field of log entries, and a group of commands.
  {
    names: ['notice', 'logouts'],
    files:
      /^packages\/app\/(src\/(logout\/logout-log|cli\/commands)|test\/(cli\/notifications|logout\/(dispatcher|conformance-back-channel))\.test)\.ts$/,
  },
  // Pages and variables of a theme.
  {
    names: ['notice', 'dialog', 'nobody'],
    files: /^packages\/(adapters-http\/(src|test)\/(logout|pages|sign-in)\/|app\/test\/browser\/)/,
  },
  // Node's server, and Stryker's test results.
  { names: ['keepAliveTimeout'], files: /^packages\/app\/src\/listening\// },
  { names: ['timeSpentMs'], files: /^tools\/mutation\// },
]
