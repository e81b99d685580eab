// The maximum size of the built domain package in a bundle, compressed by gzip.
import { fileURLToPath } from 'node:url'

const domain = fileURLToPath(new URL('../packages/domain/', import.meta.url))

// Only the ES modules of these two can be tree-shaken; their functions are the same.
const alias = { 'fp-ts/lib': `${domain}node_modules/fp-ts/es6`, 'io-ts': `${domain}node_modules/io-ts/es6` }

const bundle = (name, names, limit, door = '') => ({
  name,
  path: `${domain}dist/${door}index.js`,
  import: `{ ${names} }`,
  limit,
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, alias, format: 'esm', target: 'es2022' }),
})

export default [
  bundle(
    'decides a registration',
    'decideRegistration, parseWellFormedJson, parseRegistrationScope, noPolicy, epochSeconds, ClientId, TokenHash',
    '31.8 kB',
  ),
  bundle('reads and compares privileges', 'parseRegistrationScope, permits', '11.2 kB'),
  bundle('imports the package and uses nothing', '', '0 B'),
  bundle('decides a registration by the plain functions', 'decideRegistration', '34.5 kB', 'plain/'),
]
