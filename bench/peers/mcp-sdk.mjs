// The registration handler of the MCP TypeScript SDK, with a store in memory.
import { once } from 'node:events'
import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js'
import express from 'express'
import { answerOf, json } from './answer.mjs'

// The description of a refusal is a list of faults as JSON.
const faultsIn = ({ error_description }) => {
  try {
    return JSON.parse(error_description).length
  } catch {
    return 1
  }
}

export const start = async () => {
  const clients = new Map()
  const clientsStore = {
    getClient: (id) => clients.get(id),
    registerClient: (client) => {
      clients.set(client.client_id, client)
      return client
    },
  }
  const app = express().use('/register', clientRegistrationHandler({ clientsStore, rateLimit: false }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/register`
  const post = async (body) => answerOf(await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) }))
  return {
    doors: [{ name: 'POST', answer: post }],
    faultsIn,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
