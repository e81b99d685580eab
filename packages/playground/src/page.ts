// The only module that uses the document: it reads the state from controls, renders pieces, and runs the actions of
// buttons.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { baseUrlOfPage, destinationOf } from './base-url.js'
import { examples, firstState } from './examples.js'
import type { Piece, Pieces } from './pieces.js'
import { sections } from './sections.js'
import { readSettings } from './served-settings.js'
import { fragmentOf, stateOfFragment } from './share-link.js'
import { type Fields, type State, fieldsOf, stateOfFields, withTicked } from './state.js'
import { brokenLinkTexts, copyTexts, exampleButtons, scopeChoices, settingsText, unshareableTexts } from './texts.js'
import { view } from './view.js'

const byId = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`)
  return found
}

const form = byId('request', HTMLFormElement)
const editor = byId('body', HTMLTextAreaElement)
const decision = byId('decision', HTMLElement)

const served = readSettings(document.querySelector<HTMLMetaElement>('meta[name=registration-settings]')?.content ?? '')

const svgTags = ['svg', 'path']

const toNode = (piece: Piece | string): Node => {
  if (typeof piece === 'string') return document.createTextNode(piece)
  const { tag, attributes, children } = piece
  const made = svgTags.includes(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.map(toNode))
  return made
}

const shown = new Map<string, string>()

// Unchanged pieces are not rendered again, so that they keep the focus and screen readers do not repeat them.
const show = (id: string, pieces: Pieces): void => {
  const json = JSON.stringify(pieces)
  if (shown.get(id) === json) return
  shown.set(id, json)
  byId(id, HTMLElement).replaceChildren(...pieces.map(toNode))
}

type Control = HTMLInputElement | HTMLTextAreaElement

const controls = (): ReadonlyArray<Control> =>
  [...form.elements].filter(
    (each): each is Control => each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement,
  )

const isTicked = (control: Control): boolean => !(control instanceof HTMLInputElement) || control.checked
const isBox = ({ type }: Control): boolean => type === 'checkbox' || type === 'radio'

const readState = (): State =>
  stateOfFields(
    controls()
      .filter((each) => !isBox(each) || isTicked(each))
      .map(({ name, value }) => [name, value]),
  )

const fill = (control: Control, fields: Fields): void => {
  if (control instanceof HTMLInputElement && isBox(control))
    control.checked = fields.some(([name, value]) => name === control.name && value === control.value)
  else control.value = fields.find(([name]) => name === control.name)?.[1] ?? ''
}

/** The state of the controls; a text area normalizes line ends. */
const update = (): State => {
  const state = readState()
  const viewed = view(state, served)
  const destination = destinationOf(state.baseUrl, location.href)
  for (const [id, pieces] of Object.entries(sections(viewed, destination))) show(id, pieces)
  byId('open-scope', HTMLElement).hidden = state.mode === 'managed'
  byId('same', HTMLElement).hidden = viewed.document !== undefined
  byId('jump', HTMLElement).className = viewed.decision.kind
  return state
}

const load = (state: State): void => {
  const fields = fieldsOf(state)
  controls().forEach((control) => fill(control, fields))
  update()
}

const replaceAddress = (fragment: string): void => {
  try {
    history.replaceState(null, '', fragment === '' ? `${location.pathname}${location.search}` : `#${fragment}`)
  } catch {
    // Browsers limit the rate of replaceState; the next change updates the address.
  }
}

const remember = (state: State): void =>
  replaceAddress(
    pipe(
      fragmentOf(state),
      E.getOrElse(() => ''),
    ),
  )

const waiting: { timer?: ReturnType<typeof setTimeout> } = {}

const changed = (): void => {
  const state = update()
  clearTimeout(waiting.timer)
  waiting.timer = setTimeout(() => remember(state), 250)
}

const loadAndRemember = (state: State): void => {
  load(state)
  changed()
}

const loadFromAddress = (): void => {
  const first = firstState(baseUrlOfPage(location.href), served)
  const fragment = location.hash.slice(1)
  const linked = fragment === '' ? E.right(first) : stateOfFragment(fragment)
  show('notice', E.isLeft(linked) ? [brokenLinkTexts[linked.left]] : [])
  load(E.isLeft(linked) ? first : linked.right)
}

const statusIds = ['link-status', 'curl-status', 'test-status']

const report = (id: string, text: string): void => statusIds.forEach((each) => show(each, each === id ? [text] : []))

const copy = async (text: string, onFailure: () => string): Promise<string> => {
  try {
    await navigator.clipboard.writeText(text)
    return copyTexts.done
  } catch {
    return onFailure()
  }
}

const copyLink = async (): Promise<string> => {
  const state = readState()
  const fragment = fragmentOf(state)
  if (E.isLeft(fragment)) return unshareableTexts[fragment.left]
  replaceAddress(fragment.right)
  return copy(location.href, () => copyTexts.address)
}

const copyCode = (id: string): Promise<string> => {
  const code = byId(id, HTMLElement)
  return copy(code.textContent, () => {
    getSelection()?.selectAllChildren(code)
    return copyTexts.selected
  })
}

const showInEditor = (start: number, end: number): void => {
  // Browsers scroll to the selection only when the element gets the focus.
  editor.setSelectionRange(start, start)
  editor.blur()
  editor.focus()
  editor.setSelectionRange(start, end)
}

const tickNeeded = (values: string): void => {
  loadAndRemember(withTicked(readState(), values.split(' ')))
  decision.focus()
}

const press = ({ id, dataset: { example, copy: copied, start, end, needed } }: HTMLElement): void => {
  const chosen = examples[Number(example)]
  if (chosen !== undefined) loadAndRemember({ ...chosen.state, baseUrl: readState().baseUrl })
  if (copied !== undefined)
    void (copied === 'link' ? copyLink() : copyCode(copied)).then((text) => report(`${copied}-status`, text))
  if (start !== undefined) showInEditor(Number(start), Number(end))
  if (needed !== undefined) tickNeeded(needed)
  if (id === 'jump') decision.focus()
}

show('settings', [settingsText(served)])
show('examples', exampleButtons)
show('choices', scopeChoices)
loadFromAddress()
byId('main', HTMLElement).hidden = false
document.addEventListener('input', changed)
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', loadFromAddress)
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (button !== null) press(button)
})
