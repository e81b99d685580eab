import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { logoutSection } from '../../src/config/logout.js'
import { started } from '../cli/run.js'

const settings = suite('the settings of logout')

settings('a path stands in URLs and in the router as it is, and takes no other route away', () => {
  const { parse } = logoutSection['logout-path']
  for (const path of ['/logout', '/a/b-c_d', '/v1.0/end', '/my-clients']) assert.equal(parse(path), E.right(path))
  for (const path of [
    '',
    '/',
    'logout',
    '/logout/',
    '/a//b',
    '/..',
    '/a/../b',
    '/:id',
    '/a*',
    '/a?b',
    '/a#b',
    '/ü',
    '/%61',
  ])
    assert.ok(E.isLeft(parse(path)), path)
  for (const taken of [
    '/clients',
    '/clients/x',
    '/jwks.json',
    '/sessions',
    '/keys/a',
    '/health',
    '/logouts',
    '/playground',
    '/.well-known/x',
  ])
    assert.ok(E.isLeft(parse(taken)), taken)
})

settings('no path of the documented operations is taken', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-logout-path-'))
  const service = await started({ 'data-dir': directory, engine: 'oidc-provider' })
  try {
    const document: unknown = await (await fetch(`${service.url}/openapi.json`)).json()
    const paths = t.type({ paths: t.UnknownRecord }).is(document) ? Object.keys(document.paths) : []
    assert.ok(paths.length > 50)
    const free = paths
      .map((path) => `/${path.split('/')[1] ?? ''}`)
      .filter((path) => path !== '/logout' && E.isRight(logoutSection['logout-path'].parse(path)))
    assert.equal(free, [])
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
})

settings('a theme is tried when the settings are read, and its fault is told with the file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-theme-'))
  try {
    const { parse } = logoutSection['theme-dir']
    assert.equal(parse(directory), E.right(directory))
    writeFileSync(join(directory, 'style.css'), 'body { color: black }')
    assert.equal(parse(directory), E.right(directory))
    writeFileSync(join(directory, 'gone.njk'), '{{ nothing }}')
    const refused = parse(directory)
    assert.match(
      E.isLeft(refused) ? refused.left : '',
      /^the path of a directory with a theme, but .*gone\.njk does not work: /,
    )
    assert.ok(E.isLeft(parse(join(directory, 'missing'))))
  } finally {
    rmSync(directory, { recursive: true })
  }
})

settings('a theme that shows names as markup is refused', () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-theme-'))
  try {
    const theme =
      '<form action="{{ page.form.action }}"><input value="{{ page.form.value }}">{{ page.back.name | safe }}'
    const rest = '{{ page.back.host }}{% for each in page.applications %}{{ each.host }}{% endfor %}'
    const buttons = '<button name="answer" value="logout"></button><button name="answer" value="stay"></button></form>'
    writeFileSync(join(directory, 'dialog.njk'), `${theme}${rest}${buttons}`)
    const refused = logoutSection['theme-dir'].parse(directory)
    assert.match(E.isLeft(refused) ? refused.left : '', /dialog\.njk/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

settings.run()
