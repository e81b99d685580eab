// A judgement depends on its arguments alone, so that it may be kept for as long as the body is. Decision 0144.
import type { ClientIdUrl } from '../client/client-id-url.js'
import type { JudgeDocument, JudgedDocument } from './read-document.js'

type Remembered = {
  readonly url: ClientIdUrl
  readonly statement: Parameters<JudgeDocument>[2]
  readonly judged: JudgedDocument
}

/** Judges a body again only for another URL or statement. */
export const rememberJudgement = (judge: JudgeDocument): JudgeDocument => {
  const known = new WeakMap<object, Remembered>()
  return (url, body, statement) => {
    const before = known.get(body)
    if (before?.url === url && before.statement === statement) return before.judged
    const judged = judge(url, body, statement)
    known.set(body, { url, statement, judged })
    return judged
  }
}
