// Who may know whom. Each rule was tried with a planted violation (tools/test/planted-violations.test.ts).
const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })
const src = (name) => `^packages/${name}/src/`
const library = (name) => `node_modules/${name}/`

module.exports = {
  forbidden: [
    forbid(
      'domain-knows-only-fp',
      'The domain imports itself, fp-ts and io-ts.',
      { path: src('domain'), pathNot: src('domain') + 'testing/' },
      { path: '.', pathNot: [src('domain'), library('fp-ts'), library('io-ts')] },
    ),
    forbid(
      'testing-kit-knows-test-libraries',
      'What others test with knows fast-check and uvu beside what the domain knows.',
      { path: src('domain') + 'testing/' },
      { path: '.', pathNot: [src('domain'), ...['fp-ts', 'io-ts', 'fast-check', 'uvu'].map(library)] },
    ),
    forbid(
      'testing-kit-stays-apart',
      'What others test with, and what keeps in memory, is no part of the domain that they use.',
      { path: src('domain'), pathNot: src('domain') + '(testing|in-memory)/' },
      { path: src('domain') + '(testing|in-memory)/' },
    ),
    forbid(
      'decisions-have-no-effects',
      'In the domain only use-cases/, ports/ and what stands in for the ports know effects.',
      { path: src('domain'), pathNot: 'src/(use-cases|ports|in-memory|testing)/' },
      { path: 'fp-ts/lib/(Task|TaskEither|IO|IOEither)\\.' },
    ),
    forbid('no-reader', 'Ports are passed as records.', {}, { path: 'fp-ts/lib/.*Reader' }),
    forbid(
      'adapters-do-not-meet',
      'An adapter knows the domain, not another adapter.',
      { path: '^packages/(adapters-[^/]+)/src/' },
      { path: '^packages/adapters-[^/]+/', pathNot: '^packages/$1/' },
    ),
    forbid(
      'only-app-knows-adapters',
      'Adapters are put together in the app.',
      { path: src('domain') },
      { path: '^packages/(adapters-|app/)' },
    ),
    forbid('nobody-knows-app', 'The app is the outermost.', { path: '^packages/(?!app/)[^/]+/src/' }, { path: '^packages/app/' }),
    forbid(
      'playground-knows-domain-only',
      'The playground imports itself, fp-ts and the front door of the domain.',
      { path: src('playground') },
      { path: '.', pathNot: [src('playground'), src('domain') + 'index\\.ts$', library('fp-ts')] },
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
      { path: '^packages/[^/]+/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/((in-memory|testing)/)?index\\.ts$'] },
    ),
    forbid(
      'koa-in-one-file',
      'Only the shell knows Koa.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-http') + 'koa-shell\\.ts$' },
      { path: [library('koa'), library('@koa/router'), library('koa-bodyparser'), library('@types/koa'), library('@types/koa-bodyparser')] },
    ),
    forbid(
      'fetch-shell-is-web-only',
      'What other runtimes import reaches nothing of Node, and no library that needs it.',
      { path: src('adapters-http') + '(fetch[a-z-]*\\.ts$|in-memory/)' },
      { path: ['^(?!packages/|node_modules/)', ...['koa', '@koa/router', 'koa-bodyparser', 'nunjucks'].map(library)], reachable: true },
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
      'jose-in-one-folder',
      'Only the HTTP adapter signs and verifies.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-http') + 'jose/' },
      { path: [library('jose')] },
    ),
    forbid(
      'nunjucks-in-one-file',
      'Only what renders pages knows nunjucks.',
      { path: '^packages/[^/]+/src/', pathNot: src('adapters-http') + 'logout/render-pages\\.ts$' },
      { path: [library('nunjucks'), library('@types/nunjucks')] },
    ),
    forbid('tests-stay-out-of-src', 'Sources do not know tests.', { path: '^packages/[^/]+/src/' }, { path: '^packages/[^/]+/test/' }),
    forbid('no-circular', 'No file knows itself by a detour.', { path: '^packages/' }, { circular: true }),
    forbid('no-orphans', 'Every source is used.', { orphan: true, path: '^packages/[^/]+/src/' }, {}),
    forbid('resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    forbid(
      'declared-dependencies',
      'What is imported stands in package.json.',
      { path: '^packages/[^/]+/src/' },
      // Optional peers are installed as development dependencies here.
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['npm-peer'], pathNot: '/@types/' },
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
