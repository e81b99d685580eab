/** The text of a body in UTF-8, while it is received. */
export async function* textOfBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
}
