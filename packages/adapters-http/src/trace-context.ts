// The trace that a request belongs to: W3C Trace Context §3.2.
export type TraceContext = {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits. */
  readonly spanId: string
  /** One octet; the lowest bit says that the caller records its spans. */
  readonly flags: number
}

// §3.2.2: version, trace-id, parent-id and trace-flags
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Fields of later versions are longer; nothing says how much, and no more than this is read. */
const maxLength = 512

// §3.2.2.1: ff is no version, and version 00 has four fields
const isVersion = (version: string, more: string | undefined): boolean =>
  version !== 'ff' && (version !== '00' || more === undefined)

// §3.2.2.3 and §3.2.2.4: all zeros are no id
const isId = (id: string): boolean => !/^0+$/.test(id)

/** The trace of a field `traceparent`; undefined where the field is not well-formed, as if it was not there. */
export const parseTraceParent = (field: unknown): TraceContext | undefined => {
  const found = typeof field === 'string' && field.length <= maxLength ? pattern.exec(field) : null
  if (found === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = found
  return isVersion(version, more) && isId(traceId) && isId(spanId)
    ? { traceId, spanId, flags: Number.parseInt(flags, 16) }
    : undefined
}

// §3.2.2.5: of the flags, version 00 knows one, and sends no other
const sampled = 1

/** The field `traceparent` of version 00. */
export const formatTraceParent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${(flags & sampled).toString(16).padStart(2, '0')}`
