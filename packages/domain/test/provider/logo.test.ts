import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { maxPictureBytes, maxPictureSide, readPicture } from '../../src/provider/logo.js'

const Logo = suite('the picture of an application')
const it = law(Logo)

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))

// As encoders make them.
const encoded: ReadonlyArray<readonly [string, string]> = [
  [
    'image/png',
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAFElEQVR4AWL6z8DwH4SZGKAAzgAAAAD//5n1T+AAAAAGSURBVAMA' +
      'Wi0EA98ixaUAAAAASUVORK5CYII=',
  ],
  [
    'image/jpeg',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i' +
      'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
      'Y2NjY2NjY2P/wAARCAADAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA' +
      'FQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=',
  ],
  ['image/gif', 'R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='],
  ['image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'],
  ['image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='],
  [
    'image/webp',
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3A' +
      'AP7mtQAAAA==',
  ],
  [
    'is animated',
    'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAA' +
      'AC8AAAAQBxAREYiI/gcA',
  ],
]

const ascii = (text: string): ReadonlyArray<number> => [...text].map((sign) => sign.charCodeAt(0))
const big = (value: number, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256)
const little = (value: number, length: number): ReadonlyArray<number> => [...big(value, length)].reverse()

type Octets = ReadonlyArray<number>

const chunk = (type: string, data: Octets): Octets => [...big(data.length, 4), ...ascii(type), ...data, 0, 0, 0, 0]
const png = (width: number, height: number, ...more: ReadonlyArray<Octets>): Uint8Array =>
  Uint8Array.from([
    ...[0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a],
    ...chunk('IHDR', [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0]),
    ...more.flat(),
    ...chunk('IDAT', [1, 2, 3]),
    ...chunk('IEND', []),
  ])

const segment = (marker: number, data: Octets): Octets => [0xff, marker, ...big(data.length + 2, 2), ...data]
const jpeg = (width: number, height: number, frame = 0xc0): Uint8Array =>
  Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, ascii('JFIF\0')),
    ...segment(frame, [8, ...big(height, 2), ...big(width, 2), 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[1, 2, 3, 0xff, 0xd9],
  ])

const image = (width: number, height: number): Octets => [
  ...[0x2c, 0, 0, 0, 0, ...little(width, 2), ...little(height, 2), 0],
  ...[2, 2, 0x44, 1, 0],
]
const gif = (width: number, height: number, images = [image(width, height)]): Uint8Array =>
  Uint8Array.from([
    ...[...ascii('GIF89a'), ...little(width, 2), ...little(height, 2), 0x80, 0, 0, 0, 0, 0, 0, 0, 0],
    ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    ...images.flat(),
    0x3b,
  ])

const riff = (type: string, data: Octets): Octets => [...ascii(type), ...little(data.length, 4), ...data]
const webp = (...chunks: ReadonlyArray<Octets>): Uint8Array => {
  const body = [...ascii('WEBP'), ...chunks.flat()]
  return Uint8Array.from([...ascii('RIFF'), ...little(body.length, 4), ...body])
}
const lossy = (width: number, height: number): Octets =>
  riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)])
const lossless = (width: number, height: number): Octets =>
  riff('VP8L', [0x2f, ...little(width - 1 + (height - 1) * 2 ** 14, 4), 0])
const extended = (flags: number, width: number, height: number): Octets =>
  riff('VP8X', [flags, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)])

const makers = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': (width: number, height: number) => webp(lossy(width, height)),
} as const

const side = () => fc.integer({ min: 1, max: maxPictureSide })

const fault = (bytes: Uint8Array): string => {
  const read = readPicture(bytes)
  return E.isLeft(read) ? read.left : read.right.type
}

it('any bytes are a picture within the bounds, or refused', [fc.uint8Array({ maxLength: 200 })], (bytes) => {
  const read = readPicture(bytes)
  if (E.isRight(read)) assert.ok(read.right.width <= maxPictureSide && read.right.height <= maxPictureSide)
})

it(
  'so are pictures of which some bytes are others',
  [fc.constantFrom(...Object.values(makers)), side(), side(), fc.array(fc.tuple(fc.nat(), fc.nat(255)))],
  (make, width, height, changes) => {
    const bytes = make(width, height)
    for (const [place, octet] of changes) bytes[place % bytes.length] = octet
    const read = readPicture(bytes)
    if (E.isRight(read)) assert.ok(Math.max(read.right.width, read.right.height) <= maxPictureSide)
  },
)

for (const [type, make] of Object.entries(makers)) {
  it(`${type}: of any size within the bounds`, [side(), side()], (width, height) => {
    assert.equal(readPicture(make(width, height)), E.right({ type, width, height }))
  })
  it(`${type}: not with a part of it, nor with more`, [side(), side(), fc.nat()], (width, height, length) => {
    const bytes = make(width, height)
    assert.ok(E.isLeft(readPicture(bytes.subarray(0, length % bytes.length))))
    assert.ok(E.isLeft(readPicture(Uint8Array.from([...bytes, 0]))))
  })
  Logo(`${type}: not with a side of 1025 pixels, or of none`, () => {
    for (const [width, height] of [
      [1025, 1],
      [1, 1025],
      [0, 1],
      [1, 0],
    ] as const)
      assert.match(fault(make(width, height)), '1024 pixels')
  })
}

Logo('those of encoders', () => {
  for (const [type, base64] of encoded) assert.is(fault(bytesOf(base64)), type)
})

Logo('not if it moves', () => {
  const frames = [image(2, 2), image(2, 2)]
  const moving = {
    png: png(2, 2, chunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0])),
    gif: gif(2, 2, frames),
    'webp by its flags': webp(extended(0x02, 2, 2), riff('ANIM', [0, 0, 0, 0, 0, 0])),
    'webp by its chunks': webp(extended(0, 2, 2), riff('ANIM', [0, 0, 0, 0, 0, 0]), lossy(2, 2)),
  }
  for (const [name, bytes] of Object.entries(moving)) assert.is(fault(bytes), 'is animated', name)
})

Logo('not if the parts of it contradict each other', () => {
  assert.is(fault(webp(extended(0, 2, 2), lossless(2, 2))), 'image/webp')
  assert.is(fault(webp(extended(0, 2, 2), lossless(4, 2))), 'is no whole WebP')
  assert.is(fault(gif(2, 2, [image(2, 3)])), 'is no whole GIF')
  assert.is(fault(gif(2, 2, [])), 'is no whole GIF')
  assert.is(fault(jpeg(2, 2, 0xc3)), 'is no whole JPEG')
})

Logo('not if it is something else, or large', () => {
  const texts = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    '<!doctype html>',
    '',
    'BM',
  ]
  for (const text of texts) assert.is(fault(Uint8Array.from(ascii(text))), 'is no PNG, JPEG, GIF or WebP', text)
  assert.match(
    fault(
      png(
        2,
        2,
        chunk(
          'tEXt',
          Array.from({ length: maxPictureBytes }, () => 65),
        ),
      ),
    ),
    'bytes',
  )
})

Logo.run()
