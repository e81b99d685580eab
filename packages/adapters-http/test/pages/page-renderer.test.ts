import { PostLogoutRedirectRefusal } from '@clientele/domain/logout'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languages } from '../../src/pages/messages/languages.js'
import type { ShownPage } from '../../src/pages/page.js'
import { createPageRenderer } from '../../src/pages/page-renderer.js'
import { samplePages } from '../../src/pages/sample-pages.js'

const pages = suite('rendered pages')

const created = createPageRenderer()
if (E.isLeft(created)) throw new Error(`${created.left.file} ${created.left.description}`)
const render = created.right

const everyPage = samplePages.flatMap(({ page }) => languages.map((language) => ({ page, language })))

const tagsOf = (html: string): ReadonlyArray<string> =>
  html.replace(/<style>[^<]*<\/style>/, '').match(/<[^>]*>/g) ?? []

const form = { action: '/logout/confirm', value: 'v' }
const confirmation = (given: Partial<Extract<ShownPage, { kind: 'dialog' }>> = {}): ShownPage => ({
  kind: 'dialog',
  form,
  back: undefined,
  notice: undefined,
  applications: [],
  more: 0,
  ...given,
})

pages('every page names its language and direction, and has one main, one h1 and a title that is the same', () => {
  for (const { page, language } of everyPage) {
    const { html } = render(page, language)
    assert.match(html.trimStart(), /^<!doctype html>\n<html lang=/)
    assert.match(html, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    const [, title] = /<title>([^<]+)<\/title>/.exec(html) ?? []
    const headings = [...html.matchAll(/<h1>([^<]+)<\/h1>/g)].map(([, heading]) => heading)
    assert.equal(headings, [title])
    assert.is(html.match(/<main>/g)?.length, 1)
  }
})

pages('no page has a script, a style beside the one, or an attribute without quotes', () => {
  for (const { page, language } of everyPage)
    for (const tag of tagsOf(render(page, language).html)) {
      assert.match(
        tag,
        /^(?:<!doctype html>|<\/[a-z0-9]+>|<[a-z0-9]+(?: (?:hidden|[a-z-]+="[^"<>]*"|[a-zB]+="[^"]*"))*\/?>)$/,
      )
      assert.not.match(tag, /^<(?:script|link|base|object|embed)| (?:on[a-z]+|style)=/)
    }
})

pages('the hash is that of the style, as it stands in the page', () => {
  for (const { page, language } of everyPage) {
    const { html, styleHash } = render(page, language)
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
    assert.ok(style.length > 1000)
    assert.is(styleHash, `sha256-${createHash('sha256').update(style).digest('base64')}`)
  }
})

pages('the dialog asks with two answers and the value, and names where both lead', () => {
  const { html } = render(confirmation({ back: { name: 'Shop', host: 'shop.example' } }), 'en')
  assert.match(html, '<form method="post" action="/logout/confirm">')
  assert.match(html, '<input type="hidden" name="value" value="v">')
  assert.match(
    html,
    /<button [^>]*name="answer" value="logout">Sign out<\/button>\n<button name="answer" value="stay">Stay/,
  )
  assert.match(
    html,
    'return to <span class="name"><bdi>Shop</bdi></span> <span class="host"><bdi dir="ltr">shop.example</bdi>',
  )
})

pages('every reason for which there is no way back is told, in every language, but that nothing was asked', () => {
  const codes = PostLogoutRedirectRefusal.types
    .flatMap(({ keys }) => Object.keys(keys))
    .filter(PostLogoutRedirectRefusal.is)
  assert.ok(codes.length > 15)
  for (const notice of codes)
    for (const language of languages) {
      const reported = /<p class="notice">[^<]{15,}<\/p>/.test(render(confirmation({ notice }), language).html)
      assert.is(reported, notice !== 'not_asked', `${notice} ${language}`)
    }
})

pages('six applications and more are folded away, and those that are not named are counted', () => {
  const application = { name: undefined, host: 'a.example' }
  const five = render(confirmation({ applications: [application, application], more: 3 }), 'en').html
  assert.not.match(five, '<details>')
  assert.match(five, '<li>and 3 more</li>')
  const six = render(confirmation({ applications: [application, application], more: 4 }), 'en').html
  assert.match(six, '<summary>Signing out also signs you out of 6 applications</summary>')
  assert.not.match(render(confirmation({ applications: [application] }), 'en').html, 'more')
})

pages('frames are loaded without a referrer where nobody stumbles over them', () => {
  const frames = ['https://a.example/?a=1&b="2"', 'https://b.example/']
  const page: ShownPage = { kind: 'signed_out', applications: [], more: 0, frames, back: undefined }
  const [, hidden = ''] = /<div hidden>([^]*)<\/div>/.exec(render(page, 'en').html) ?? []
  const found = hidden.match(
    /<iframe src="[^"]*" title="[^"]+" sandbox="allow-scripts allow-same-origin allow-forms" tabindex="-1" referrerpolicy="no-referrer"><\/iframe>/g,
  )
  assert.is(found?.length, 2)
  assert.match(hidden, 'src="https://a.example/?a=1&amp;b=&quot;2&quot;"')
})

pages('whatever a name, a host or a value holds, the markup stays the same', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 })
  const hostile = fc.constantFrom(
    '</bdi><script>',
    '"><img src=x onerror=alert(1)>',
    '{{7*7}}',
    '{% raw %}',
    '</title>',
    '\\"',
  )
  const any = fc.oneof(text, hostile)
  const withTexts = (name: string, host: string, value: string): ReadonlyArray<ShownPage> => [
    confirmation({ back: { name, host }, applications: [{ name, host }], form: { action: '/', value } }),
    { kind: 'nobody', form: { action: '/', value }, back: { name, host }, notice: undefined },
    {
      kind: 'signed_out',
      applications: [{ name, host }],
      more: 0,
      frames: [value],
      back: { application: { name, host }, uri: value },
    },
  ]
  const shape = (page: ShownPage): ReadonlyArray<string> =>
    tagsOf(render(page, 'en').html).map((tag) => tag.replace(/(value|src|href)="[^"]*"/g, '$1'))
  const plain = withTexts('name', 'host', 'value').map(shape)
  fc.assert(
    fc.property(any, any, any, (name, host, value) => {
      assert.equal(withTexts(name, host, value).map(shape), plain)
    }),
  )
})

pages.run()
