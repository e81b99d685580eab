import type { Page } from 'playwright-core'

/** Whether text runs from left to right in the element, or from right to left. */
export const directionOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`)

/**
 * Whether the first element stands before the second one in the direction of their container. The container is laid out on
 * one line for this, because the width of an installed font decides where a line breaks.
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
