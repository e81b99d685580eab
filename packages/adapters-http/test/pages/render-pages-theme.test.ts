import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ShownPage } from '../../src/pages/page.js'
import { createPageRenderer } from '../../src/pages/page-renderer.js'

const themes = suite('themes')

const ours = fileURLToPath(new URL('../../theme', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'clientele-theme-'))
themes.after(() => rmSync(folder, { recursive: true }))

const created = (files: Readonly<Record<string, string>>) => {
  const directory = mkdtempSync(join(folder, 'theme-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return createPageRenderer({ directory })
}

const rendered = (files: Readonly<Record<string, string>>, page: ShownPage = { kind: 'gone' }) => {
  const renderer = created(files)
  if (E.isLeft(renderer)) throw new Error(`${renderer.left.file} ${renderer.left.description}`)
  return renderer.right(page, 'en')
}

const refused = (files: Readonly<Record<string, string>>): string => {
  const renderer = created(files)
  return E.isLeft(renderer) ? `${renderer.left.file.split('/').at(-1) ?? ''} ${renderer.left.description}` : 'taken'
}

themes('one template alone is replaced, and the rest is ours', () => {
  const gone = '{% extends "layout.njk" %}{% block content %}<p>{{ text.again }} Example Ltd.</p>{% endblock %}'
  assert.match(rendered({ 'gone.njk': gone }).html, 'please start again. Example Ltd.</p>')
  assert.match(rendered({ 'gone.njk': gone }).html, '<h1>This page is no longer valid</h1>')
  assert.match(rendered({ 'gone.njk': gone }, { kind: 'unavailable' }).html, 'try again in a few minutes')
})

themes('a template may use templates of its own, and a copy of ours is taken as it is', () => {
  const gone = '{% include "imprint.njk" %}'
  assert.is(rendered({ 'gone.njk': gone, 'imprint.njk': 'Example Ltd.' }).html, 'Example Ltd.')
  const directory = join(folder, 'copy')
  cpSync(ours, directory, { recursive: true })
  assert.ok(E.isRight(createPageRenderer({ directory })))
})

themes('a style is replaced, and the hash is of what browsers read of it', () => {
  const { html, styleHash } = rendered({ 'style.css': '\uFEFFh1 {\r\n  content: "<&>{{ x }}{#";\r\n}\r\n' })
  const read = 'h1 {\n  content: "<&>{{ x }}{#";\n}\n'
  assert.match(html, `<style>${read}</style>`)
  assert.is(styleHash, `sha256-${createHash('sha256').update(read).digest('base64')}`)
})

themes('other files beside the templates are left alone', () => {
  const directory = mkdtempSync(join(folder, 'theme-'))
  mkdirSync(join(directory, 'drafts'))
  writeFileSync(join(directory, 'README.md'), '{{ not a template')
  assert.ok(E.isRight(createPageRenderer({ directory })))
})

themes('a template that does not compile is named, with the place', () => {
  assert.is(refused({ 'gone.njk': 'a\n{% if %}' }), 'gone.njk does not work: line 2, column 7: unexpected token: %}')
  assert.match(refused({ 'parts.njk': '{% macro x( %}' }), /^parts\.njk does not work: line 1, /)
  assert.match(refused({ 'layout.njk': '{% block content %}' }), /^layout\.njk does not work: /)
})

themes('a template that fails on a page is named, also where others use it', () => {
  assert.match(refused({ 'gone.njk': '{{ nothing }}' }), /^gone\.njk does not work: line 1, column 1: .*undefined/)
  assert.match(
    refused({
      'layout.njk': 'a\n{{ nothing }}{% block content %}{% endblock %}',
      'gone.njk': '{% extends "layout.njk" %}',
    }),
    /^layout\.njk does not work: line 2, column 1: .*undefined/,
  )
  assert.match(
    refused({ 'gone.njk': '{% include "elsewhere.njk" %}' }),
    'gone.njk does not work: Error: there is no template',
  )
  assert.match(refused({ 'nobody.njk': '{{ page.form.value | turned }}' }), 'filter not found: turned')
  assert.match(refused({ 'gone.njk': '{{ text.again() }}' }), /^gone\.njk does not work: /)
})

themes('a template is tried in every language and with everything that a page may hold', () => {
  assert.match(refused({ 'gone.njk': '{% if language == "ar" %}{{ nothing }}{% endif %}' }), 'gone.njk does not work')
  assert.match(refused({ 'signed_out.njk': '{% for one in page.frames %}{{ nothing }}{% endfor %}' }), 'signed_out.njk')
})

themes('a page that nobody could answer, or that tells no application, is refused', () => {
  assert.is(refused({ 'dialog.njk': '<p>Bye</p>' }), 'dialog.njk makes a page without /logout/confirm')
  assert.match(
    refused({ 'signed_out.njk': '<p>Bye</p>' }),
    'signed_out.njk makes a page without https://shop.example/logged-out',
  )
  assert.match(refused({ 'layout.njk': '<p>Bye</p>' }), 'layout.njk makes a page without')
})

themes('a file of a name that nothing uses is told, as it may be meant for another', () => {
  assert.match(
    refused({ 'dialogue.njk': '<p>Bye</p>' }),
    /^dialogue\.njk is not in use; there are application_pending\.njk, application_refused\.njk, application_suspended\.njk, choose_login\.njk, consent\.njk, consents\.njk, dialog\.njk, /,
  )
  assert.match(refused({ 'styles.css': '' }), 'styles.css is not in use')
})

themes('a style cannot end the element that it stands in', () => {
  assert.match(refused({ 'style.css': 'p {} </STYLE ><script>' }), 'style.css ends the element')
})

themes('a folder or a file that cannot be read is told', () => {
  const missing = createPageRenderer({ directory: join(folder, 'nowhere') })
  assert.equal(missing, E.left({ file: join(folder, 'nowhere'), description: 'cannot be read: ENOENT' }))
  const directory = mkdtempSync(join(folder, 'theme-'))
  mkdirSync(join(directory, 'dialog.njk'))
  const unreadable = createPageRenderer({ directory })
  assert.equal(unreadable, E.left({ file: join(directory, 'dialog.njk'), description: 'cannot be read: EISDIR' }))
})

themes.run()
