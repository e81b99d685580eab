import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { contrast, styleOfColor } from '../../src/pages/page-renderer.js'

const Colors = suite('the colour of the service')
const it = law(Colors)

const color = () => fc.nat(0xffffff).map((code) => `#${code.toString(16).padStart(6, '0')}`)

const namedIn = (rules: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(rules ?? '').matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]),
  )

it('any colour can be read on both schemes, and what is written on it too (WCAG 2.2 §1.4.3)', [color()], (any) => {
  const [light, dark] = styleOfColor(any).split('@media')
  for (const [rules, card] of [
    [light, '#ffffff'],
    [dark, '#171b22'],
  ] as const) {
    const { accent = '', tint = '', 'on-accent': onAccent = '' } = namedIn(rules)
    for (const [one, other] of [
      [accent, card],
      [accent, tint],
      [onAccent, accent],
    ] as const)
      assert.ok(contrast(one, other) >= 4.5, `${any}: ${one} on ${other}`)
  }
})

Colors('a colour that can be read stays as it is', () => {
  assert.is(namedIn(styleOfColor('#b3261e'))['accent-strong'] === undefined, false)
  assert.match(styleOfColor('#1f4fd0'), '--accent: #1f4fd0')
})

Colors.run()
