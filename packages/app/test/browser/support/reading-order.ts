import type { Page } from 'playwright-core'

/** The direction of the text in the element. */
export const directionOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`)

/**
 * Whether the first element is before the second one in the direction of their container. The container is laid out on
 * one line for this, because line breaks depend on the installed fonts.
 */
export const standsBefore = (page: Page, container: string, first: string, second: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const container = document.querySelector(${JSON.stringify(container)})
    container.style.whiteSpace = 'nowrap'
    container.style.flexWrap = 'nowrap'
    const boxOf = (selector) => container.querySelector(selector).getBoundingClientRect()
    const [one, other] = [boxOf(${JSON.stringify(first)}), boxOf(${JSON.stringify(second)})]
    return getComputedStyle(container).direction === 'rtl' ? one.left >= other.right : one.right <= other.left
  })()`)
