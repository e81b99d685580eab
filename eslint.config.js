import js from '@eslint/js'
import fpTs from 'eslint-plugin-fp-ts'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('.', import.meta.url))
const source = ['packages/*/src/**/*.ts']
// The testing kit consists of tests, and follows their rules.
const kit = 'packages/testing/src/**/*.ts'
const ownTests = ['packages/*/test/**/*.ts', 'tools/test/**/*.ts']
const tests = [...ownTests, kit]
const decisions = { files: ['packages/domain/src/**/*.ts'] }

const ban = (selector, message) => ({ selector, message })
const effects = ['Task', 'TaskEither', 'IO']
const modules = ['Either', 'Option', 'ReadonlyArray', 'ReadonlyNonEmptyArray', 'ReadonlyRecord', 'function', ...effects]

const importRules = (extra = []) => [
  'error',
  {
    patterns: [
      {
        regex: `^fp-ts(?!/lib/(${modules.join('|')})\\.js$)`,
        message: 'fp-ts is imported as fp-ts/lib/Module.js, of the modules that eslint.config.js lists.',
      },
      { regex: '^io-ts/', message: 'The stable io-ts is imported from its root; PathReporter prints rejected values.' },
      ...extra,
    ],
  },
]

// fp-ts has old names beside new ones: only the new ones are used.
const legacy = '^(chain|chainW|chainFirst|chainFirstW|fold|foldW|bimap|chainEitherK|chainEitherKW)$'
const legacyNames = ban(
  `MemberExpression[object.name=/^[A-Z]/][property.name=/${legacy}/], ImportDeclaration[source.value=/^fp-ts/] > ImportSpecifier[imported.name=/${legacy}/]`,
  'Say flatMap, tap, match, mapBoth: the current names.',
)
const tupleOfValues = {
  selector: 'VariableDeclarator[init.type="ArrayExpression"] > ArrayPattern[elements.length>1]:not(:has(RestElement))',
  message: 'Each value has a declaration of its own.',
}
const defaultExport = ban("ExportDefaultDeclaration, ExportSpecifier[exported.name='default']", 'Exports have names.')

const noDecisionEffects = [
  ban('ThrowStatement', 'The domain refuses with values.'),
  ban("NewExpression[callee.name='Date']", 'Time comes in as data.'),
  ban("CallExpression[callee.object.name='Date'][callee.property.name='now']", 'Time comes in as data.'),
  ban("MemberExpression[object.name='Math'][property.name='random']", 'Random values come in as data.'),
  ban("VariableDeclaration[kind='let']", 'Values do not change.'),
  ban('ForStatement, ForInStatement, ForOfStatement, WhileStatement, DoWhileStatement', 'Say map, filter, reduce.'),
]
const noAsync = ban(':function[async=true]', 'Effects are TaskEithers, in operations/ and ports/.')
const noAssertion = ban(
  "TSAsExpression:not([typeAnnotation.typeName.name='const'])",
  'Assertions stand only in the files that make branded values.',
)
const brandMakers = ['authorization/credential', 'kernel/faults', 'kernel/time', 'registration/permit'].map(
  (name) => `packages/domain/src/${name}.ts`,
)

const fileNameRule = {
  create: (context) => ({
    Program(node) {
      if (!/^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/.test(basename(context.filename)))
        context.report({ node, message: 'File names are kebab-case.' })
    },
  }),
}

const commentRule = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (/^\s*(eslint-disable|TODO|FIXME|XXX|HACK)/.test(comment.value))
          context.report({
            loc: comment.loc,
            message: 'A comment gives a source or a reason; nothing is left for later.',
          })
    },
  }),
}

const calls = (statement, name, property) =>
  statement.expression?.callee?.object?.name === name && statement.expression.callee.property?.name === property

// uvu runs no suite without .run(), nor tests that come after it, and says nothing.
const runRule = {
  create: (context) => ({
    Program({ body }) {
      const suites = body
        .filter(({ type }) => type === 'VariableDeclaration')
        .flatMap(({ declarations }) => declarations)
        .filter(({ init }) => init?.type === 'CallExpression' && init.callee.name === 'suite')
      for (const { id } of suites) {
        const last = body.findLastIndex((statement) => statement.expression?.callee?.name === id.name)
        if (body.findLastIndex((statement) => calls(statement, id.name, 'run')) < Math.max(last, 0))
          context.report({ node: id, message: `The tests of ${id.name} do not run: end with ${id.name}.run().` })
      }
    },
    "CallExpression[callee.property.name='only']": (node) =>
      context.report({ node, message: 'All tests of a file run.' }),
  }),
}

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      'packages/app/bin/**',
      '**/coverage/**',
      '**/.stryker-tmp/**',
      'data/**',
    ],
  },
  js.configs.recommended,
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'fetch',
          'Response',
          'performance',
          'AbortSignal',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'setImmediate',
          'module',
          'Buffer',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['packages/*/examples/browser/**'], languageOptions: { globals: { document: 'readonly' } } },
  ...[...tseslint.configs.strictTypeChecked].map((config) => ({ ...config, files: source })),
  ...[...tseslint.configs.strict].map((config) => ({ ...config, files: ownTests })),
  {
    files: [...source, ...tests],
    languageOptions: {
      parserOptions: { project: ['tsconfig.test.json', 'packages/playground/tsconfig.json'], tsconfigRootDir: root },
    },
    plugins: {
      'fp-ts': fpTs,
      clientele: { rules: { comments: commentRule, 'file-name': fileNameRule, run: runRule } },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // One import for each module, with types and values in one list.
      'no-duplicate-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      // `interface X extends t.TypeOf<typeof X> {}` names a codec's type, and editors then show the name in place of
      // its members.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      'clientele/comments': 'error',
      'clientele/file-name': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      'no-control-regex': 'off',
      camelcase: ['error', { properties: 'never', ignoreDestructuring: true, allow: ['^[a-z]+(_[a-z]+)+$'] }],
      'no-restricted-syntax': ['error', legacyNames, defaultExport, tupleOfValues],
      'no-restricted-imports': importRules(),
    },
  },
  {
    files: source,
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // There are no enums, and classes only for errors.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'fp-ts/no-discarded-pure-expression': 'error',
    },
  },
  {
    files: source,
    ignores: [kit],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 80 }],
      complexity: ['error', { max: 12, variant: 'modified' }],
      'no-warning-comments': ['error', { location: 'anywhere' }],
      'no-restricted-globals': ['error', 'process', 'console', 'globalThis'],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(node:)?process$', message: 'Only main.ts knows the process; data-directory.ts, its user.' },
          ],
        },
      ],
    },
  },
  {
    files: ['packages/app/src/main.ts', 'packages/app/src/data/data-directory.ts'],
    rules: { 'no-restricted-globals': 'off', '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    ...decisions,
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'console',
        'globalThis',
        'Date',
        'performance',
        'crypto',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'fetch',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Random values come in as data.' },
      ],
    },
  },
  {
    ...decisions,
    rules: {
      'no-restricted-syntax': [
        'error',
        legacyNames,
        defaultExport,
        tupleOfValues,
        ...noDecisionEffects,
        noAsync,
        noAssertion,
      ],
    },
  },
  {
    files: ['packages/domain/src/operations/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', legacyNames, defaultExport, tupleOfValues, ...noDecisionEffects, noAssertion],
    },
  },
  {
    // Lists in which a reader looks something up: the promises of a store by table, what operations need beside it by subject,
    // and the operations by method and path.
    files: ['packages/domain/src/ports/*.ts', 'packages/adapters-http/src/reference/operations.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: brandMakers,
    rules: {
      'no-restricted-syntax': ['error', legacyNames, defaultExport, tupleOfValues, ...noDecisionEffects, noAsync],
    },
  },
  {
    ...decisions,
    ignores: ['packages/domain/src/operations/**', 'packages/domain/src/ports/**'],
    rules: {
      'no-restricted-imports': importRules([
        { regex: `^fp-ts/lib/(${effects.join('|')})\\.js$`, message: 'Only operations/ and ports/ have effects.' },
      ]),
    },
  },
  {
    // openid-client marks its option for plain http as deprecated, as a warning; here it is for an issuer on loopback alone.
    files: ['packages/adapters-login/src/openid-protocol.ts', 'packages/adapters-login/src/plain-protocol.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
    },
  },
  {
    // Its arbitraries make values of any type, and its subjects are async where others wait.
    files: [kit],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: tests,
    rules: {
      'clientele/run': 'error',
      'max-lines': ['error', { max: 600 }],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      // Of the rules with types, tests have those that find a test that cannot fail: all of them together took a third of
      // the time of the whole check.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
    },
  },
)
