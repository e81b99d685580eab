// node bench/read-list.mjs URL HEADERS TIMES: reads a list to its end, and reports the number of its clients and the
// time.
import { get } from 'node:http'

const [url, headers, times] = process.argv.slice(2)
const mark = Buffer.from('"client_id":')

const count = (chunk) => {
  let found = 0
  for (let at = chunk.indexOf(mark); at !== -1; at = chunk.indexOf(mark, at + mark.length)) found += 1
  return found
}

const read = () =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    let clients = 0
    let firstByte = undefined
    let end = Buffer.alloc(0)
    get(url, { headers: JSON.parse(headers) }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.on('data', (chunk) => {
        firstByte ??= performance.now() - began
        // A mark may be split across two chunks; the retained end of the previous chunk is too short for a whole mark.
        const text = Buffer.concat([end, chunk])
        clients += count(text)
        end = text.subarray(1 - mark.length)
      })
      answer.once('end', () => resolve({ clients, firstByte, seconds: (performance.now() - began) / 1000 }))
      answer.once('error', reject)
    }).once('error', reject)
  })

const middle = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)]

const lists = []
while (lists.length < Number(times)) lists.push(await read())
const medianOf = (name) => middle(lists.map((list) => list[name]))
console.log(
  JSON.stringify(Object.fromEntries(['clients', 'firstByte', 'seconds'].map((name) => [name, medianOf(name)]))),
)
