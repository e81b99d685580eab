// The baseline of a list: a loop over the table of clients that writes the stored text to the socket, and waits when it
// is full.
import { once } from 'node:events'
import http from 'node:http'
import Database from 'better-sqlite3'

const db = new Database(process.argv[2], { readonly: true })
const select = db.prepare('SELECT client_id, metadata FROM clients ORDER BY ordinal').raw()
const enough = 32_768

const list = async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  let chunk = '['
  let separator = ''
  for (const [id, metadata] of select.iterate()) {
    chunk += `${separator}{"client_id":"${id}",${metadata.slice(1)}`
    separator = ','
    if (chunk.length < enough) continue
    if (!response.write(chunk)) await once(response, 'drain')
    chunk = ''
  }
  response.end(`${chunk}]`)
}

const server = http
  .createServer((_, response) => void list(response))
  .listen(0, '127.0.0.1', () => {
    console.log(`ready http://127.0.0.1:${server.address().port} /clients`)
  })
