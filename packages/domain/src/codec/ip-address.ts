import { textType } from './value-type.js'

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const group = /^[0-9A-Fa-f]{1,4}$/

// RFC 4291 §2.2: eight groups; one run of zeros may be left out, and the last two may be an IPv4 address
const groupsIn = (half: string): number => {
  if (half === '') return 0
  const groups = half.split(':')
  const last = groups.at(-1) ?? ''
  const whole = [...(ipv4.test(last) ? ['0', '0'] : [last]), ...groups.slice(0, -1)]
  return whole.every((each) => group.test(each)) ? whole.length : Number.NaN
}

const isIpv6 = (text: string): boolean => {
  const [before = '', after, ...more] = text.split('::')
  if (more.length > 0) return false
  if (after === undefined) return groupsIn(before) === 8
  return before.split(':').every((each) => !each.includes('.')) && groupsIn(before) + groupsIn(after) <= 7
}

/** An IPv4 address, or an IPv6 address without brackets and zone. */
export const isIpAddress = (text: string): boolean =>
  text.length <= 45 && (ipv4.test(text) || (text.includes(':') && isIpv6(text)))

export const ipAddress = textType('ip-address', { maxLength: 45 }, isIpAddress)
