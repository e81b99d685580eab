// The document of a client whose client_id is its URL: draft-ietf-oauth-client-id-metadata-document-02.
import * as assert from 'uvu/assert'
import { browserSuite, headlineOf, openPlayground, paste, saveScreenshot } from '../support/playground-page.js'

const documents = browserSuite('documents in the playground')

const url = 'https://app.example/client.json'

documents('with a URL, the document is judged, nothing is requested, and the link has the URL', async (browser) => {
  const { page, noticed, seen, close } = await openPlayground(browser)
  const field = page.getByRole('textbox', { name: 'URL of the document' })
  await field.fill('http://app.example/client.json')
  assert.is(await headlineOf(page), 'Refused')
  assert.match((await page.locator('#decision').textContent()) ?? '', '1 fault in the URL.')
  assert.not.ok(await page.locator('#same').isVisible())

  await field.fill(url)
  await paste(page, JSON.stringify({ client_id: 'https://other.example/', redirect_uris: ['https://app.example/'] }))
  const fault = page.locator('#faults li')
  assert.match((await fault.textContent()) ?? '', 'must be the URL of the document, byte by byte')
  await page.locator('#faults button.pointer').click()
  assert.is(
    await page.evaluate(
      'getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    ),
    '"https://other.example/"',
  )

  await paste(page, JSON.stringify({ client_id: url, redirect_uris: ['https://app.example/'] }))
  assert.is(await headlineOf(page), 'Refused by the policy alone')
  assert.is(await page.locator('#privileges-title').textContent(), 'What the doors answer')
  await saveScreenshot(page, 'playground-document')

  await page.waitForTimeout(400)
  const again = await openPlayground(browser, { fragment: new URL(page.url()).hash.slice(1) })
  assert.is(await again.page.locator('#url').inputValue(), url)
  assert.is(await headlineOf(again.page), 'Refused by the policy alone')
  await again.close()

  await field.fill('')
  assert.is(await page.locator('#privileges-title').textContent(), 'Privileges')
  assert.ok(await page.locator('#same').isVisible())
  assert.equal([noticed, seen.length], [[], 1])
  await close()
})

documents.run()
