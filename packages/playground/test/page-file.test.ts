import { openPrivileges } from '@clientele/domain/authorization'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageFile } from '../src/index.js'

const PageFile = suite('the file of the playground')

const html = readFileSync(pageFile, 'utf8')
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

PageFile('it is one file, which refers to no other', () => {
  const [head = ''] = html.split('<style>')
  assert.is(html.match(/<script/g)?.length, 1)
  assert.is(html.match(/<style/g)?.length, 1)
  assert.not.match(html.replace(/<script>[\s\S]*?<\/script>/, ''), /\ssrc=|@import|url\(/)
  for (const [, target] of head.matchAll(/href="([^"]*)"/g)) assert.match(target ?? '', /^data:/)
})

PageFile('it is small: what is measured at the time of writing, and little more', () => {
  assert.ok(Buffer.byteLength(html) < 171_800, `${Buffer.byteLength(html)} bytes`)
  assert.ok(gzipSync(html).length < 58_100, `${gzipSync(html).length} bytes compressed`)
})

PageFile('its colours are those of the logout pages', () => {
  const colours = (css: string): ReadonlyArray<string> => css.match(/--[a-z-]+: #[0-9a-f]+/g) ?? []
  const own = colours(read('../src/style.css'))
  assert.ok(own.length > 20)
  assert.equal(own, colours(read('../../adapters-http/theme/style.css')))
})

PageFile('it says of open registration what the domain says', () => {
  const { grant_types } = openPrivileges({ kind: 'open', scope: [] })
  if (grant_types === 'any') return assert.unreachable('open registration permits every grant type')
  const list = `${grant_types.slice(0, -1).join(', ')} and ${grant_types.at(-1) ?? ''}`
  assert.match(read('../src/index.html').replace(/\s+/g, ' '), `registration without a token, for ${list}`)
})

PageFile.run()
