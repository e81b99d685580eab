// Splits a JSON document into records: the elements of an array, of the list in a member of an object, or one object.
import { type RecordText, type SplitRecords, maxRecord } from './record.js'

// RFC 8259 §2 and §7; an escape includes the escaped character
const marks = /\\[^]|[\\"[\]{},\n]/g

const step: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

// The name of a member and its colon, which may stand in text that is dropped otherwise.
const endOfDropped = 256

type State = {
  readonly records: Array<RecordText>
  line: number
  quoted: boolean
  /** An escape whose second character is in the next chunk. */
  pending: string
  depth: number
  /** The depth at which records begin, and that outside of the list. */
  recordDepth: number
  outerDepth: number
  /** The text of the present record, or the end of a text that is dropped. */
  text: string
  /** The line on which the record begins; 0 before its beginning. */
  began: number
  dropped: 'no' | 'too long' | 'around the list'
}

const append = (state: State, text: string): void => {
  if (state.began === 0 && text.trim() !== '') state.began = state.line
  state.text += text
  if (state.dropped === 'no' && state.text.length > maxRecord) state.dropped = 'too long'
  if (state.dropped !== 'no') state.text = state.text.slice(-endOfDropped)
}

const endRecord = (state: State): void => {
  const line = state.began === 0 ? state.line : state.began
  if (state.dropped === 'too long') state.records.push({ line })
  if (state.dropped === 'no' && state.text.trim() !== '') state.records.push({ line, text: state.text })
  state.text = ''
  state.began = 0
  state.dropped = 'no'
}

const enterList = (state: State): void => {
  state.outerDepth = state.recordDepth
  state.recordDepth = state.depth
  state.text = ''
  state.began = 0
  state.dropped = 'no'
}

const leaveList = (state: State): void => {
  endRecord(state)
  state.recordDepth = state.outerDepth
  state.dropped = 'around the list'
}

// The list is a member of the top-level object, or of an element of the top-level array.
const opensList = (state: State, name: RegExp | undefined): boolean =>
  name !== undefined &&
  state.recordDepth === state.outerDepth &&
  state.depth === state.recordDepth + 2 &&
  name.test(state.text.slice(-endOfDropped))

const open = (state: State, mark: string, name: RegExp | undefined): void => {
  state.depth += 1
  if (mark === '[' && state.depth === 1) {
    // The top-level array
    state.recordDepth = 1
    state.outerDepth = 1
    state.text = ''
    state.began = 0
  } else if (mark === '[' && opensList(state, name)) enterList(state)
  else append(state, mark)
}

const close = (state: State, mark: string): void => {
  const isEndOfList = state.depth === state.recordDepth && state.recordDepth !== state.outerDepth
  const isEndOfArray = state.depth === state.recordDepth && !isEndOfList
  state.depth -= 1
  if (isEndOfList) leaveList(state)
  else if (isEndOfArray) endRecord(state)
  else {
    append(state, mark)
    if (state.depth === 0 && state.recordDepth === 0) endRecord(state)
  }
}

const structural = (state: State, mark: string, name: RegExp | undefined): void => {
  const change = step[mark] ?? 0
  if (change > 0) open(state, mark, name)
  else if (change < 0) close(state, mark)
  else if (state.depth === state.recordDepth) endRecord(state)
  else append(state, mark)
}

const take = (state: State, mark: string, name: RegExp | undefined): void => {
  if (mark === '\n') {
    state.line += 1
    append(state, mark)
  } else if (mark === '"') {
    state.quoted = !state.quoted
    append(state, mark)
  } else if (state.quoted || mark.length > 1) append(state, mark)
  else structural(state, mark, name)
}

/** `list` is the member of an enclosing object that has the records. */
export const splitDocument = (list: string | undefined): SplitRecords => {
  const name = list === undefined ? undefined : new RegExp(`(?<!\\\\)"${list}"\\s*:\\s*$`)
  const state: State = {
    records: [],
    line: 1,
    quoted: false,
    pending: '',
    depth: 0,
    recordDepth: 0,
    outerDepth: 0,
    text: '',
    began: 0,
    dropped: 'no',
  }
  return {
    push: (chunk) => {
      const text = state.pending + chunk
      let from = 0
      state.pending = ''
      for (const { 0: mark, index } of text.matchAll(marks)) {
        append(state, text.slice(from, index))
        from = index + mark.length
        if (mark === '\\') state.pending = mark
        else take(state, mark, name)
      }
      append(state, text.slice(from))
      return state.records.splice(0)
    },
    end: () => {
      const isCutOff = state.depth > 0 && (state.depth <= state.recordDepth || state.dropped === 'around the list')
      endRecord(state)
      // No JSON: a document that is cut off between two records is broken as well.
      if (isCutOff) state.records.push({ line: state.line, text: '[' })
      return state.records.splice(0)
    },
  }
}
