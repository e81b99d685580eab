import { httpDate } from './http-date.js'

/** RFC 9110 §10.2.3: seconds from `at`, which is in milliseconds; undefined for an invalid value. */
export const retryAfter = (value: string, at: number): number | undefined => {
  const text = value.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - at) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, seconds))
}
