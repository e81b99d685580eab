// Makes the page as one file: dist/index.html, with its script and style inside and a policy that permits nothing else.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from '../../tools/esbuild.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))

const bundled = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: folder,
    bundle: true,
    conditions: ['@clientele/source'],
    minify: true,
    write: false,
    format: 'iife',
    charset: 'utf8',
    target: ['es2022', 'chrome111', 'firefox119', 'safari16.4'],
    // Only the ES modules of fp-ts can be tree-shaken; their functions are the same.
    alias: { 'fp-ts/lib': 'fp-ts/es6' },
  })
  return outputFiles[0].text.trim()
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (script, style) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The page in src/, with its code. */
export const buildPage = async () => {
  const [script, style] = await Promise.all(['src/page.ts', 'src/style.css'].map(bundled))
  const template = readFileSync(new URL('src/index.html', import.meta.url), 'utf8')
  // Functions, because $ is special in a replacement text.
  const html = template
    .replace("default-src 'none'", () => policyOf(script, style))
    .replace(/\s*\/\* style \*\/\s*/, () => style)
    .replace(/\s*\/\* script \*\/\s*/, () => script)
  mkdirSync(new URL('dist', import.meta.url), { recursive: true })
  writeFileSync(new URL('dist/index.html', import.meta.url), html)
  return { bytes: Buffer.byteLength(html), compressed: gzipSync(html).length }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { bytes, compressed } = await buildPage()
  const kilobytes = (size) => `${(size / 1000).toFixed(1)} kB`
  console.log(`packages/playground/dist/index.html: ${kilobytes(bytes)}, ${kilobytes(compressed)} compressed`)
}
