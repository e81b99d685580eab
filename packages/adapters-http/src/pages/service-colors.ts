// The operator's colour as the colours of buttons and links, readable on light and dark pages: WCAG 2.2 §1.4.3.

type Rgb = readonly [number, number, number]

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
/** The cards of style.css, on which the colour is read, and the darkest or lightest page beside them. */
const lightCard: Rgb = white
const darkCard: Rgb = [23, 27, 34]

const rgbOf = (color: string): Rgb => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

const hex = (color: Rgb): string => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const mixed = (one: Rgb, other: Rgb, share: number): Rgb => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

// WCAG 2.2: relative luminance
const linear = (part: number): number => {
  const value = Math.round(part) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const steps = Array.from({ length: 51 }, (_, step) => step / 50)

/** The colour, as much nearer to black or white as it must be to be read on the card and on its own tint. */
const readable = (color: Rgb, card: Rgb, towards: Rgb): Rgb => {
  const tint = mixed(card, color, 0.12)
  const isRead = (candidate: Rgb): boolean =>
    [card, tint].every((ground) => contrast(hex(candidate), hex(ground)) >= 4.6)
  return steps.map((share) => mixed(color, towards, share)).find(isRead) ?? towards
}

const scheme = (color: Rgb, card: Rgb, towards: Rgb): string => {
  const accent = readable(color, card, towards)
  const onAccent = contrast(hex(accent), hex(white)) >= contrast(hex(accent), hex(black)) ? white : black
  return [
    `--accent: ${hex(accent)}`,
    `--accent-strong: ${hex(mixed(accent, towards, 0.2))}`,
    `--on-accent: ${hex(onAccent)}`,
    `--tint: ${hex(mixed(card, color, 0.12))}`,
  ].join('; ')
}

/** Rules that follow a style, and replace its colours. */
export const styleOfColor = (color: string): string => {
  const rgb = rgbOf(color)
  return [
    `:root { ${scheme(rgb, lightCard, black)}; }`,
    `@media (prefers-color-scheme: dark) { :root { ${scheme(rgb, darkCard, white)}; } }`,
    '',
  ].join('\n')
}
