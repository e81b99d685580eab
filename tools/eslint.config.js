import js from '@eslint/js'
import fpTs from 'eslint-plugin-fp-ts'
import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = ['packages/*/src/**/*.ts']
const tests = ['packages/*/test/**/*.ts', 'tools/test/**/*.ts']

const ban = (selector, message) => ({ selector, message })
const effects = ['Task', 'TaskEither', 'IO']
const modules = ['Either', 'Option', 'ReadonlyArray', 'ReadonlyNonEmptyArray', 'ReadonlyRecord', 'function', ...effects]

const importRules = (extra = []) => [
  'error',
  {
    patterns: [
      {
        regex: `^fp-ts(?!/lib/(${modules.join('|')})\\.js$)`,
        message: 'fp-ts is imported as fp-ts/lib/Module.js, of the modules that tools/eslint.config.js lists.',
      },
      { regex: '^io-ts/', message: 'The stable io-ts is imported from its root; PathReporter prints rejected values.' },
      ...extra,
    ],
  },
]

// fp-ts keeps old names beside new ones: one vocabulary is used.
const legacyNames = ban(
  "CallExpression[callee.type='MemberExpression'][callee.object.name=/^(E|O|TE|T|RA|IO)$/][callee.property.name=/^(chain|chainW|chainFirst|chainFirstW|fold|foldW|bimap|chainEitherK|chainEitherKW)$/]",
  'Say flatMap, tap, match, mapBoth: the current names.',
)
const defaultExport = ban('ExportDefaultDeclaration', 'Exports have names.')

const noDecisionEffects = [
  ban('ThrowStatement', 'The domain refuses with values.'),
  ban("NewExpression[callee.name='Date']", 'Time comes in as data.'),
  ban("CallExpression[callee.object.name='Date'][callee.property.name='now']", 'Time comes in as data.'),
  ban("MemberExpression[object.name='Math'][property.name='random']", 'Random values come in as data.'),
  ban(':function[async=true]', 'Effects are TaskEithers, in use-cases/ and ports/.'),
  ban("VariableDeclaration[kind='let']", 'Values do not change.'),
  ban('ForStatement, ForInStatement, ForOfStatement, WhileStatement, DoWhileStatement', 'Say map, filter, reduce.'),
]
const noAssertion = ban(
  "TSAsExpression:not([typeAnnotation.typeName.name='const'])",
  'Assertions stand only in the files that make branded values.',
)
const brandMakers = ['codec/epoch-seconds', 'client/client-secret', 'authorization/permit-registration'].map(
  (name) => `packages/domain/src/${name}.ts`,
)

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

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/coverage/**', 'data/**'] },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'fetch',
          'performance',
          'setTimeout',
          'clearTimeout',
          'setImmediate',
          'module',
          'Buffer',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  ...[...tseslint.configs.strictTypeChecked].map((config) => ({ ...config, files: [...source, ...tests] })),
  {
    files: [...source, ...tests],
    languageOptions: { parserOptions: { project: ['tsconfig.test.json'], tsconfigRootDir: root } },
    plugins: { 'fp-ts': fpTs, clientele: { rules: { comments: commentRule } } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'fp-ts/no-discarded-pure-expression': 'error',
      'clientele/comments': 'error',
      'no-control-regex': 'off',
      camelcase: ['error', { properties: 'never', ignoreDestructuring: true, allow: ['^[a-z]+(_[a-z]+)+$'] }],
      'no-restricted-syntax': ['error', legacyNames, defaultExport],
      'no-restricted-imports': importRules(),
    },
  },
  {
    files: source,
    rules: {
      'max-lines': ['error', { max: 200 }],
      'max-lines-per-function': ['error', { max: 40 }],
      complexity: ['error', { max: 8, variant: 'modified' }],
      'no-warning-comments': 'error',
      'no-restricted-globals': ['error', 'process', 'console'],
    },
  },
  { files: ['packages/app/src/main.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['packages/domain/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', legacyNames, defaultExport, ...noDecisionEffects, noAssertion] },
  },
  {
    files: brandMakers,
    rules: { 'no-restricted-syntax': ['error', legacyNames, defaultExport, ...noDecisionEffects] },
  },
  {
    files: ['packages/domain/src/**/*.ts'],
    ignores: ['packages/domain/src/use-cases/**', 'packages/domain/src/ports/**'],
    rules: {
      'no-restricted-imports': importRules([
        { regex: `^fp-ts/lib/(${effects.join('|')})\\.js$`, message: 'Only use-cases/ and ports/ have effects.' },
      ]),
    },
  },
  {
    files: tests,
    rules: {
      'max-lines': ['error', { max: 300 }],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      // Because clients mark their switch for plain http as deprecated, to make it stand out.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
)
