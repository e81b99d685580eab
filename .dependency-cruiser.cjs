// Which packages and folders may import which.
const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })
const src = (name) => `^packages/${name}/src/`
/** The table of statuses, which needs no library and no runtime. */
const statuses = `${src('adapters-http')}statuses\\.ts$`
/** All ports in memory, for other runtimes than that of the app. */
const host = `${src('adapters-memory')}host\\.ts$`
const beforeEngine = '(index|load-engine|ports|abilities)'
const doorsOfDomain = [src('domain') + 'index\\.ts$', src('domain') + '[a-z-]+/index\\.ts$']
const library = (name) => `node_modules/${name}/`

module.exports = {
  forbidden: [
    forbid(
      'domain-knows-only-fp',
      'The domain imports itself, fp-ts and io-ts.',
      { path: src('domain') },
      { path: '.', pathNot: [src('domain'), library('fp-ts'), library('io-ts')] },
    ),
    forbid(
      'testing-kit-knows-test-libraries',
      'The testing kit knows the front door of the domain, fast-check and uvu.',
      { path: src('testing') },
      {
        path: '.',
        pathNot: [
          src('testing'),
          ...doorsOfDomain,
          ...['fp-ts', 'io-ts', 'fast-check', 'uvu'].map(library),
        ],
      },
    ),
    forbid(
      'testing-kit-stays-apart',
      'No product source knows the testing kit.',
      { path: '^packages/(?!testing/)[^/]+/src/' },
      { path: '^packages/testing/' },
    ),
    forbid(
      'decisions-have-no-effects',
      'In the domain only operations/ and ports/ know effects.',
      { path: src('domain'), pathNot: 'src/(operations|ports)/' },
      { path: 'fp-ts/lib/(Task|TaskEither|IO|IOEither)\\.' },
    ),
    forbid('no-reader', 'Ports are passed as records.', {}, { path: 'fp-ts/lib/.*Reader' }),
    forbid(
      'adapters-do-not-meet',
      'An adapter knows the domain, not another adapter; what databases share is adapters-sql.',
      { path: '^packages/(adapters-[^/]+)/src/', pathNot: host },
      { path: '^packages/adapters-[^/]+/', pathNot: ['^packages/$1/', '^packages/adapters-sql/'] },
    ),
    forbid(
      'adapters-sql-knows-domain-only',
      'What databases share knows the domain, fp-ts and io-ts, and no database.',
      { path: src('adapters-sql') },
      { path: '.', pathNot: [src('adapters-sql'), ...doorsOfDomain, library('fp-ts'), library('io-ts')] },
    ),
    forbid(
      'only-stores-know-adapters-sql',
      'What databases share is known to their adapters alone.',
      { path: '^packages/(?!adapters-sql/|adapters-sqlite/|adapters-postgresql/)[^/]+/src/' },
      { path: '^packages/adapters-sql/' },
    ),
    forbid(
      'only-app-knows-adapters',
      'Adapters are put together in the app, and in host.ts of the store in memory for other runtimes.',
      { path: '^packages/(domain|testing|playground)/src/' },
      { path: '^packages/(adapters-|app/)', pathNot: statuses },
    ),
    forbid(
      'nobody-knows-app',
      'The app is the outermost.',
      { path: '^packages/(?!app/)[^/]+/src/' },
      { path: '^packages/app/' },
    ),
    forbid(
      'nobody-knows-host',
      'What is composed for other runtimes is used by hosts alone.',
      { path: '^packages/[^/]+/src/' },
      { path: host },
    ),
    forbid(
      'playground-knows-domain-only',
      'The playground imports itself, fp-ts, the front door of the domain and the table of statuses.',
      { path: src('playground') },
      { path: '.', pathNot: [src('playground'), ...doorsOfDomain, statuses, library('fp-ts')] },
    ),
    forbid(
      'only-app-knows-playground',
      'The playground is served by the app, and nobody else knows it.',
      { path: '^packages/(?!app/|playground/)[^/]+/src/' },
      { path: '^packages/playground/' },
    ),
    forbid(
      'front-door-only',
      'Another package is known through its front door.',
      { path: '^packages/([^/]+)/src/' },
      { path: '^packages/[^/]+/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/(node/)?(index|fetch|statuses|hosts|host)\\.ts$', src('domain') + '[a-z-]+/index\\.ts$'] },
    ),
    forbid(
      'koa-in-its-shell',
      'Only the shell knows Koa.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-http') + 'koa-shell\\.ts$' },
      {
        path: [
          library('koa'),
          library('@koa/router'),
          library('koa-bodyparser'),
          library('@types/koa'),
          library('@types/koa-bodyparser'),
        ],
      },
    ),
    forbid(
      'fetch-shell-is-web-only',
      'What other runtimes import reaches nothing of Node, and no library that needs it.',
      {
        path: '^packages/(adapters-http/src/(fetch|statuses)\\.ts$|adapters-memory/src/|adapters-jose/src/[^/]+$)',
      },
      {
        path: ['^(?!packages/|.*node_modules/)', ...['koa', '@koa/router', 'koa-bodyparser', 'nunjucks'].map(library)],
        reachable: true,
      },
    ),
    forbid(
      'sqlite-in-its-package',
      'Only its adapter knows better-sqlite3.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-sqlite') },
      { path: [library('better-sqlite3'), library('@types/better-sqlite3')] },
    ),
    forbid(
      'outbound-in-its-package',
      'Only its adapter reaches out.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-outbound') },
      { path: [library('undici'), '^undici$'] },
    ),
    forbid(
      'openid-client-in-its-package',
      'Only the login at an upstream provider knows openid-client.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-login') },
      { path: [library('openid-client')] },
    ),
    forbid(
      'openid-client-when-used',
      'openid-client is loaded by services with an upstream provider alone.',
      { path: src('adapters-login') },
      { path: [library('openid-client')], dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'jose-in-its-package',
      'Only its adapter signs, verifies and encrypts.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-jose') },
      { path: [library('jose')] },
    ),
    forbid(
      'engine-in-its-package',
      'Only its adapter knows the authorization server.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-oidc-provider') },
      { path: [library('oidc-provider'), library('@types/oidc-provider')] },
    ),
    forbid(
      'engine-is-loaded-when-used',
      'What the entry point of its adapter imports loads no authorization server, until it is called.',
      { path: src('adapters-oidc-provider') + `${beforeEngine}\\.ts$` },
      {
        path: [src('adapters-oidc-provider') + `(?!${beforeEngine}\\.ts$)`, library('oidc-provider')],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'nunjucks-in-renderers',
      'Only what renders pages knows nunjucks.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-http') + '(pages/page|console/console)-renderer\\.ts$' },
      { path: [library('nunjucks'), library('@types/nunjucks')] },
    ),
    forbid(
      'commander-in-the-command-line',
      'Only the command line knows commander.',
      { path: '^packages/[^/]+/src/', pathNot: src('app') + 'cli/' },
      { path: [library('commander')] },
    ),
    forbid(
      'cluster-in-its-files',
      'Only what runs several instances knows the processes of others; the process itself is known to main.ts.',
      { path: '^packages/[^/]+/src/', pathNot: src('app') + 'server/(primary|worker)\\.ts' },
      { path: '^(node:)?cluster$' },
    ),
    forbid(
      'one-process-loads-nothing-of-several',
      'What runs several instances is imported only when there are several.',
      { path: src('app'), pathNot: src('app') + 'server/(primary|worker)\\.ts' },
      { path: src('app') + 'server/(primary|worker)\\.ts', dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    forbid('tests-stay-out-of-src', 'Sources do not know tests.', { path: '^packages/[^/]+/src/' }, { path: '^packages/[^/]+/test/' }),
    forbid('no-circular', 'No file knows itself by a detour.', { path: '^packages/' }, { circular: true }),
    {
      ...forbid(
        'no-folder-cycle',
        'Folders of a package know each other in one direction.',
        { path: '^packages/[^/]+/src/' },
        { circular: true, path: '^packages/[^/]+/src/' },
      ),
      scope: 'folder',
    },
    forbid('no-orphans', 'Every source is used.', { orphan: true, path: '^packages/[^/]+/src/' }, {}),
    forbid('resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    forbid(
      'declared-dependencies',
      'What is imported stands in package.json.',
      { path: '^packages/[^/]+/src/' },
      // Optional peers are installed as development dependencies here.
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['npm-peer'],
        pathNot: '/@types/',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@clientele/source', 'import', 'node', 'types', 'default'],
      mainFields: ['main', 'types'],
    },
  },
}
