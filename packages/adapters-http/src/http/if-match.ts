import type { IfMatch } from '@clientele/domain/registration'

/** RFC 9110 §13.1.1: the entity tags of the header field. What is no entity tag of a client matches none. */
export const readIfMatch = (field: string | undefined): IfMatch => {
  if (field === undefined) return undefined
  return field.trim() === '*' ? '*' : field.split(',').map((tag) => tag.trim())
}
