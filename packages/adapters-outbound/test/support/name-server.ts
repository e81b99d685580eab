// A name server on loopback: it answers as configured, and ignores all other queries.
import { type RemoteInfo, type Socket, createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses, or the response code of RFC 1035 §4.1.1. */
export type Answer = ReadonlyArray<string> | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED'

/** By names, or by a kind of address and a name (`AAAA name`); queries for other names get no answer. */
export type Answers = Readonly<Record<string, Answer>>

export type NameServer = {
  /** In the form of the option `servers`. */
  readonly servers: ReadonlyArray<string>
  /** The queried names, once for each kind of address and query. */
  readonly requested: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const types: Readonly<Record<number, number>> = { 1: 4, 28: 6 }
const kinds: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

type Question = { readonly name: string; readonly type: number; readonly end: number }

// RFC 1035 §4.1.2: labels, then the type and the class
const questionOf = (query: Buffer): Question => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

// RFC 1035 §4.1.3, with a pointer to the name of the question
const recordOf = (type: number, address: string): Buffer => {
  const data = Buffer.from(ipaddr.parse(address).toByteArray())
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const answerTo = (query: Buffer, { type, end }: Question, answer: Answer): Buffer => {
  const records =
    typeof answer === 'string'
      ? []
      : answer.filter((address) => isIP(address) === types[type]).map((each) => recordOf(type, each))
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

const respond = (socket: Socket, answers: Answers, requested: Array<string>) => (query: Buffer, peer: RemoteInfo) => {
  const question = questionOf(query)
  requested.push(question.name)
  const answer = answers[question.name] ?? answers[`${kinds[question.type] ?? ''} ${question.name}`]
  if (answer !== undefined) socket.send(answerTo(query, question, answer), peer.port, peer.address)
}

export const startNameServer = async (answers: Answers): Promise<NameServer> => {
  const socket: Socket = createSocket('udp4')
  const requested: Array<string> = []
  socket.on('message', respond(socket, answers, requested))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  // Unreferenced, so that a failed test does not keep the process alive.
  socket.unref()
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    requested,
    stop: () => new Promise((resolve) => socket.close(resolve)),
  }
}
