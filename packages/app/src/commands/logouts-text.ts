// The notices of logouts, for people.
import type { NoticeDescription, NoticeList, RetriedNotices } from '@clientele/domain'
import { deliveryIsOff } from '@clientele/domain'
import { printable } from '../observing/printable.js'
import { isoTime } from '../operating/read-answer.js'

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const stateText = ({ state, attempts, due_at, note }: NoticeDescription): string => {
  const tries = counted(attempts, 'try', 'tries')
  const why = note === '' ? '' : `: ${printable(note)}`
  if (state === 'failed') return `given up after ${tries}${why}`
  return due_at === undefined ? `waits after ${tries}${why}` : `after ${tries}, the next at ${isoTime(due_at)}${why}`
}

const noticeText = (notice: NoticeDescription): string =>
  [
    printable(notice.id),
    `  ${printable(notice.client_id)} at ${printable(notice.uri)}, owed since ${isoTime(notice.created_at)}`,
    `  ${stateText(notice)}`,
  ].join('\n')

export const noticeListText = ({ notices, more }: NoticeList): string =>
  notices.length === 0
    ? 'No application is still to be told of a logout'
    : [...notices.map(noticeText), ...(more ? [`There are more: these are the oldest ${notices.length}`] : [])].join(
        '\n',
      )

export const retriedText = ({ retried, delivers }: RetriedNotices): string =>
  [
    retried === 0 ? 'Nothing was given up' : `${counted(retried, 'notice is', 'notices are')} due now`,
    ...(delivers ? [] : [`Nothing is sent: ${deliveryIsOff}`]),
  ].join('\n')
