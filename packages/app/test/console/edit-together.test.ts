// Operators who change one client at the same time: what each left as it was, stays as another one stored it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { registered, startConsole, untouched, visit } from './support/visitor.js'

const together = suite('operators who edit one client')

const service = await startConsole()
const { base, master } = service
const operator = await visit(base, master)

const storedAs = async (client_id: string): Promise<Record<string, unknown>> => {
  const headers = { Authorization: `Bearer ${master}` }
  return (await (await fetch(`${base}/manage/v1/clients/${client_id}`, { headers })).json()) as Record<string, unknown>
}

/** Sends the form of a page with other values in these fields; one without a value is taken out. */
const sendForm = (path: string, html: string, changes: Readonly<Record<string, string | undefined>>) => {
  const fields = untouched(html, 'edit')
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) fields.delete(name)
    else fields.set(name, value)
  return operator.send(path, fields)
}

together('of two operators who edit one client, each changes only what that operator changed', async () => {
  const { client_id } = await registered(service, {
    client_name: 'Before',
    client_uri: 'https://app.example.com',
    // In another order than the boxes of the form, which changes nothing.
    grant_types: ['refresh_token', 'authorization_code'],
    contacts: [],
    'client_name#de': 'Vorher',
    default_max_age: 60,
  })
  const path = `/console/clients/${client_id}/edit`
  const { html } = await operator.open(path)
  const first = await sendForm(path, html, {
    client_name: 'First',
    client_uri: '',
    grant_types: 'authorization_code',
    redirect_uris: 'https://app.example.com/first',
    contacts: 'first@example.com',
    other: '{"client_name#de": "Erster", "default_max_age": 70}',
  })
  assert.is(first.location, `/console/clients/${client_id}?done=saved`)
  const mine = { client_name: 'Second', policy_uri: 'https://app.example.com/privacy' }
  const second = await sendForm(path, html, {
    ...mine,
    redirect_uris: 'https://app.example.com/second',
    other: '{"client_name#de": "Vorher", "default_max_age": 80}',
  })
  assert.is(second.status, 412)
  assert.match(second.html, /Stored now[^]*First[^]*Second/)
  const choices = [...second.html.matchAll(/name="keep" value="([^"]*)"/g)].map(([, name]) => name).sort()
  assert.equal(choices, ['client_name', 'default_max_age', 'redirect_uris'])
  // Somebody else changes a third member before the form is sent again.
  await sendForm(path, (await operator.open(path)).html, { tos_uri: 'https://app.example.com/terms' })
  const late = await sendForm(path, second.html, { keep: 'redirect_uris' })
  assert.is(late.status, 412)
  assert.not.match(late.html, 'name="keep"')
  assert.is((await sendForm(path, late.html, {})).status, 303)
  const stored = await storedAs(client_id)
  const expected = {
    ...mine,
    client_uri: undefined,
    grant_types: ['authorization_code'],
    redirect_uris: ['https://app.example.com/first'],
    contacts: ['first@example.com'],
    tos_uri: 'https://app.example.com/terms',
    'client_name#de': 'Erster',
    default_max_age: 80,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(stored[name], value, name)
})

together('a fault in the form does not make the changes of others those of the form', async () => {
  const { client_id } = await registered(service, { client_name: 'Before' })
  const path = `/console/clients/${client_id}/edit`
  const faulty = await sendForm(path, (await operator.open(path)).html, {
    client_uri: 'no',
    other: '{"client_nam#de": "Getippt"}',
  })
  assert.is(faulty.status, 400)
  assert.match(faulty.html, 'Getippt')
  await sendForm(path, (await operator.open(path)).html, { client_name: 'First' })
  const late = await sendForm(path, faulty.html, { client_uri: '', other: '' })
  assert.is(late.status, 412)
  assert.is((await sendForm(path, late.html, {})).status, 303)
  assert.is((await storedAs(client_id))['client_name'], 'First')
})

together('a stored value that was left as it is, stays also where the form has a fault elsewhere', async () => {
  const { client_id } = await registered(service, { client_name: 'Before' })
  const path = `/console/clients/${client_id}/edit`
  const { html } = await operator.open(path)
  await sendForm(path, html, { client_name: 'First' })
  const late = await sendForm(path, html, { client_name: 'Second' })
  const faulty = await sendForm(path, late.html, { keep: 'client_name', client_uri: 'no' })
  assert.is(faulty.status, 400)
  assert.is((await sendForm(path, faulty.html, { client_uri: '' })).status, 303)
  assert.is((await storedAs(client_id))['client_name'], 'First')
})

together('a part that is taken out of a member is gone, and one that another operator added stays', async () => {
  const { client_id } = await registered(service, { data: { plan: 'free', tags: { a: 1, b: 2 } } })
  const path = `/console/clients/${client_id}/edit`
  const { html } = await operator.open(path)
  await sendForm(path, (await operator.open(path)).html, {
    other: '{"data":{"plan":"free","tags":{"a":1,"b":2},"c":3}}',
  })
  const late = await sendForm(path, html, { other: '{"data":{"tags":{"a":1}}}' })
  assert.is(late.status, 412)
  assert.is((await sendForm(path, late.html, {})).status, 303)
  assert.equal((await storedAs(client_id))['data'], { tags: { a: 1 }, c: 3 })
})

together('a choice to leave what is stored outlives a typing error', async () => {
  const { client_id } = await registered(service, { client_name: 'Before' })
  const path = `/console/clients/${client_id}/edit`
  const { html } = await operator.open(path)
  assert.not.match(html, 'stay as they are stored')
  await sendForm(path, html, { client_name: 'First' })
  const late = await sendForm(path, html, { client_name: 'Second' })
  const broken = await sendForm(path, late.html, { keep: 'client_name', other: '{' })
  assert.is(broken.status, 400)
  assert.match(broken.html, /stay as they are stored: <code>client_name<\/code>\./)
  assert.is((await sendForm(path, broken.html, { other: '' })).status, 303)
  assert.is((await storedAs(client_id))['client_name'], 'First')
})

together('much metadata fits the form, and what another operator changed meanwhile is shown', async () => {
  const path = (number: number) => `https://app.example.com/${String(number).padStart(100, '0')}`
  const redirect_uris = Array.from({ length: 256 }, (_, number) => path(number))
  const { client_id } = await registered(service, { client_name: 'Before', redirect_uris })
  const edit = `/console/clients/${client_id}/edit`
  const { html } = await operator.open(edit)
  await sendForm(edit, html, { client_name: 'First' })
  const late = await sendForm(edit, html, { client_name: 'Second' })
  assert.is(late.status, 412)
  assert.match(late.html, /Stored now[^]*First[^]*Second/)
  assert.is((await sendForm(edit, late.html, {})).status, 303)
  const stored = await storedAs(client_id)
  assert.equal([stored['client_name'], stored['redirect_uris']], ['Second', redirect_uris])
})

together('a form to which nobody does anything changes nothing', async () => {
  const { client_id } = await registered(service, {
    client_name: 'A "name" <b>&amp;',
    grant_types: ['refresh_token', 'authorization_code'],
    contacts: [],
    jwks: { keys: [] },
  })
  const path = `/console/clients/${client_id}/edit`
  const before = await storedAs(client_id)
  assert.is((await sendForm(path, (await operator.open(path)).html, {})).status, 303)
  assert.equal(await storedAs(client_id), before)
})

together.after(async () => void (await service.stop()))

together.run()
