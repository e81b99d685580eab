import type { Issuer } from '@clientele/domain/authorization'
import { printable } from '../text.js'

/** Who issued a token, for people. */
export const issuerTextOf = ({ kind, fingerprint }: Issuer): string => {
  switch (kind) {
    case 'store':
      return 'the operator of the machine'
    case 'master':
      return `the master token ${printable(fingerprint)}`
    case 'operator_token':
      return `the operator token ${printable(fingerprint)}`
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The remaining life of a token, in its largest unit. */
export const lifetimeText = (seconds: number): string => {
  const [name, length] = units.find(([, unit]) => seconds >= unit * 2) ?? (['second', 1] as const)
  const count = Math.floor(seconds / length)
  return `for ${count} ${name}${count === 1 ? '' : 's'}`
}
