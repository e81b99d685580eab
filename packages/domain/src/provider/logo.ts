// Whether the bytes of a logo are one plain picture of modest size, by its structure alone: nothing is decoded here, and what
// a server says of its type does not count. A document that runs or loads something, as SVG, is none.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unfold } from 'fp-ts/lib/ReadonlyArray.js'

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

export type Picture = { readonly type: PictureType; readonly width: number; readonly height: number }

/** Every consent page contains the picture. */
export const maxPictureBytes = 65_536

/** Pixels of each side: a browser takes four bytes for each of the whole picture, however few bytes came. */
export const maxPictureSide = 1_024

type Read = E.Either<string, Picture>

/** 0 beyond the end, so that a structure which goes on there does not fit. */
const at = (bytes: Uint8Array, place: number): number => bytes[place] ?? 0

const bigEndian = (bytes: Uint8Array, place: number, length: number): number =>
  Array.from({ length }, (_, index) => at(bytes, place + index)).reduce((sum, octet) => sum * 256 + octet, 0)

const littleEndian = (bytes: Uint8Array, place: number, length: number): number =>
  Array.from({ length }, (_, index) => at(bytes, place + index)).reduceRight((sum, octet) => sum * 256 + octet, 0)

const textAt = (bytes: Uint8Array, place: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(place, place + length))

const begins = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((octet, place) => bytes[place] === octet)

const animated = E.left('is animated')
const broken = (format: string): E.Either<string, never> => E.left(`is no whole ${format}`)

const ofSize = (type: PictureType, width: number, height: number): Read => {
  const fits = [width, height].every((side) => side >= 1 && side <= maxPictureSide)
  return fits ? E.right({ type, width, height }) : E.left(`has more than ${maxPictureSide} pixels on a side, or none`)
}

/** A part of the file, from its first octet to the one after its last, which is beyond the end where the file is broken. */
type Part = { readonly kind: number | string; readonly data: number; readonly end: number }

/** The parts from a place on, each where the one before it ends; `read` says undefined where there are no more. */
const partsFrom = (start: number, read: (place: number) => Part | undefined): ReadonlyArray<Part> =>
  unfold(start, (place) => {
    const part = read(place)
    return part === undefined ? O.none : O.some([part, part.end])
  })

// W3C PNG §5: chunks of a length, a type, data and a check; IHDR is the first, and IEND the last. APNG adds acTL.
const png = (bytes: Uint8Array): Read => {
  const chunks = partsFrom(8, (place) =>
    place < bytes.length
      ? { kind: textAt(bytes, place + 4), data: place + 8, end: place + 12 + bigEndian(bytes, place, 4) }
      : undefined,
  )
  const [first] = chunks
  const last = chunks.at(-1)
  if (first?.kind !== 'IHDR' || first.end !== 33 || last?.kind !== 'IEND' || last.end !== bytes.length)
    return broken('PNG')
  return chunks.some(({ kind }) => kind === 'acTL')
    ? animated
    : ofSize('image/png', bigEndian(bytes, first.data, 4), bigEndian(bytes, first.data + 4, 4))
}

// ITU T.81 §B: baseline, extended and progressive frames, which are what browsers show; and the scan that follows.
const shownFrames: ReadonlyArray<unknown> = [0xffc0, 0xffc1, 0xffc2]
const otherFrames = [0xffc3, 0xffc5, 0xffc6, 0xffc7, 0xffc9, 0xffca, 0xffcb, 0xffcd, 0xffce, 0xffcf]
const frames: ReadonlyArray<unknown> = [...shownFrames, ...otherFrames]
const scan = 0xffda

// ITU T.81 §B.1.1: segments of a marker and a length up to the scan; the header of the frame has the size.
const jpeg = (bytes: Uint8Array): Read => {
  const segments = partsFrom(2, (place) => {
    const kind = bigEndian(bytes, place, 2)
    if (kind < 0xffc0 || kind === 0xffff || place + 4 > bytes.length) return undefined
    return { kind, data: place + 4, end: kind === scan ? bytes.length : place + 2 + bigEndian(bytes, place + 2, 2) }
  })
  const [frame, ...more] = segments.filter(({ kind }) => frames.includes(kind))
  const isWhole = segments.at(-1)?.kind === scan && bigEndian(bytes, bytes.length - 2, 2) === 0xffd9
  if (!isWhole || frame === undefined || more.length > 0 || !shownFrames.includes(frame.kind)) return broken('JPEG')
  return ofSize('image/jpeg', bigEndian(bytes, frame.data + 3, 2), bigEndian(bytes, frame.data + 1, 2))
}

/** GIF89a §15: the place after sub-blocks, each of which begins with its length; an empty one is the last. */
const afterBlocks = (bytes: Uint8Array, start: number): number => {
  const blocks = partsFrom(start, (place) => {
    const length = at(bytes, place)
    return length === 0 ? undefined : { kind: 'block', data: place + 1, end: place + 1 + length }
  })
  return (blocks.at(-1)?.end ?? start) + 1
}

/** GIF89a §18, §20: the octets of the colour table that the flags announce. */
const tableOf = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1))

const extension = 0x21
const image = 0x2c
const trailer = 0x3b

// GIF89a: the screen, then extensions and images up to the trailer. Several images are frames.
const gif = (bytes: Uint8Array): Read => {
  const parts = partsFrom(13 + tableOf(at(bytes, 10)), (place) => {
    const kind = at(bytes, place)
    if (kind === trailer) return { kind, data: place, end: place + 1 }
    if (kind === extension) return { kind, data: place, end: afterBlocks(bytes, place + 2) }
    if (kind !== image) return undefined
    return { kind, data: place + 1, end: afterBlocks(bytes, place + 11 + tableOf(at(bytes, place + 9))) }
  })
  const images = parts.filter(({ kind }) => kind === image)
  const [first] = images
  const last = parts.at(-1)
  if (images.length > 1) return animated
  if (first === undefined || last?.kind !== trailer || last.end !== bytes.length) return broken('GIF')
  const width = littleEndian(bytes, 6, 2)
  const height = littleEndian(bytes, 8, 2)
  const right = littleEndian(bytes, first.data, 2) + littleEndian(bytes, first.data + 4, 2)
  const bottom = littleEndian(bytes, first.data + 2, 2) + littleEndian(bytes, first.data + 6, 2)
  return right > width || bottom > height ? broken('GIF') : ofSize('image/gif', width, height)
}

type Size = readonly [width: number, height: number]

// RFC 9649 §2.5 to §2.7: the size in the chunk of a lossy or a lossless picture, and that of the canvas.
const webpSize = (bytes: Uint8Array, { kind, data }: Part): Size => {
  const bits = littleEndian(bytes, data + 1, 4)
  switch (kind) {
    case 'VP8X':
      return [littleEndian(bytes, data + 4, 3) + 1, littleEndian(bytes, data + 7, 3) + 1]
    case 'VP8 ':
      return [littleEndian(bytes, data + 6, 2) & 0x3fff, littleEndian(bytes, data + 8, 2) & 0x3fff]
    default:
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
}

const moving: ReadonlyArray<unknown> = ['ANIM', 'ANMF']

// RFC 9649 §2.3 to §2.7: chunks in a RIFF container; VP8X announces what else there is.
const webp = (bytes: Uint8Array): Read => {
  const chunks = partsFrom(12, (place) => {
    const length = littleEndian(bytes, place + 4, 4)
    return place < bytes.length
      ? { kind: textAt(bytes, place), data: place + 8, end: place + 8 + length + (length % 2) }
      : undefined
  })
  if (littleEndian(bytes, 4, 4) + 8 !== bytes.length || chunks.at(-1)?.end !== bytes.length) return broken('WebP')
  const canvas = chunks.find(({ kind }) => kind === 'VP8X')
  const [picture, ...more] = chunks.filter(({ kind }) => kind === 'VP8 ' || kind === 'VP8L')
  if (chunks.some(({ kind }) => moving.includes(kind))) return animated
  if (canvas !== undefined && (at(bytes, canvas.data) & 0x02) !== 0) return animated
  if (picture === undefined || more.length > 0) return broken('WebP')
  const [width, height] = webpSize(bytes, picture)
  const [wide, high] = canvas === undefined ? [width, height] : webpSize(bytes, canvas)
  return wide === width && high === height ? ofSize('image/webp', width, height) : broken('WebP')
}

/** What the picture is; a Left says why it is not shown, after "the picture". */
export const readPicture = (bytes: Uint8Array): Read => {
  if (bytes.length > maxPictureBytes) return E.left(`has more than ${maxPictureBytes} bytes`)
  if (begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return png(bytes)
  if (begins(bytes, 0xff, 0xd8, 0xff)) return jpeg(bytes)
  if (['GIF87a', 'GIF89a'].includes(textAt(bytes, 0, 6))) return gif(bytes)
  if (textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP') return webp(bytes)
  return E.left('is no PNG, JPEG, GIF or WebP')
}
