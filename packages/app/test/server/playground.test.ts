import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { playgroundDocuments } from '../../src/server/playground.js'

const playground = suite('playgroundDocuments')

const paths = (flags: Readonly<Record<string, string>>, file?: URL): E.Either<string, ReadonlyArray<string>> => {
  const loaded = loadConfig({ flags, environment: {}, readFile: () => E.left('ENOENT') })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const documents = playgroundDocuments(loaded.right.config, file)
  return E.isLeft(documents) ? documents : E.right(documents.right.map(({ path }) => path))
}

const there = E.right(['/playground'])
const none = E.right([])

playground('it is on where the base URL is loopback, and off elsewhere, unless the setting says otherwise', () => {
  const elsewhere = { 'base-url': 'https://id.example.com' }
  assert.equal(paths({}), there)
  assert.equal(paths({ host: '::1' }), there)
  assert.equal(paths({ 'base-url': 'http://localhost:3000/op' }), there)
  assert.equal(paths(elsewhere), none)
  assert.equal(paths({ ...elsewhere, playground: 'true' }), there)
  assert.equal(paths({ playground: 'false' }), none)
})

playground('where the page was not built, only who asked for it is refused, with the remedy', () => {
  const missing = new URL('missing.html', import.meta.url)
  assert.equal(paths({}, missing), none)
  assert.equal(
    paths({ playground: 'true' }, missing),
    E.left('playground: the page cannot be read (no such file or directory, ENOENT): npm run build makes it'),
  )
})

playground.run()
