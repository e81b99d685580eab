// What a door of a peer answers to a body, and the door of the law that it makes.
import { verdictOf } from '../../packages/testing/dist/index.js'

/** The status of an answer and its JSON, or what is thrown in place of one. */
export const answerOf = async (response) => {
  const text = await response.text()
  try {
    return { status: response.status, json: Object(JSON.parse(text)) }
  } catch {
    return { status: response.status, json: {} }
  }
}

/** An exception that a library throws is a refusal if it says so by `isRefusal`, and otherwise an internal error. */
export const attempt = async (resolve, isRefusal) => {
  try {
    return { status: 200, json: await resolve() }
  } catch (thrown) {
    const { message, error = message, error_description } = Object(thrown)
    return { status: isRefusal(thrown) ? 400 : 500, json: { error, error_description } }
  }
}

export const json = { 'content-type': 'application/json' }

/** The door, which reports its answer to each body, and asks for it once. */
export const doorOf = ({ name, answer }, report) => {
  const answers = new Map()
  return {
    name,
    judge: async (body) => {
      const key = JSON.stringify(body)
      if (!answers.has(key)) {
        const given = await answer(body).catch((thrown) => ({ status: 500, json: { error: String(thrown) } }))
        answers.set(key, given)
        report({ body, ...given })
      }
      return answers.get(key).status < 300 ? [] : verdictOf({ error: 'refused' })
    },
    answerTo: (body) => answers.get(JSON.stringify(body)),
  }
}
