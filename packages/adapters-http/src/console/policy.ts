// The page on which a policy is tried: what it would refuse of what is stored.
import { decodeRegistrationPolicy } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import { readJson } from '../http/request.js'
import { utf8 } from '../http/response.js'
import { type ShownRefusal, isDone, listOf, memberOf, membersOf, refusalOf } from './asking.js'
import { type Fields, type Page, type Shown, type Visit, pageOf, refusedOn } from './page.js'

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

// A member of `exceeding` that is empty or false is within the privileges of the registrant.
const isViolating = (client: unknown): boolean =>
  listOf(client, 'faults').length > 0 ||
  listOf(client, 'beyond_entry').length > 0 ||
  membersOf(memberOf(client, 'exceeding')).some(([, value]) => value !== false && !isEmpty(value))

type Judged = { readonly text: string; readonly result?: unknown; readonly refusal?: ShownRefusal | undefined }

const policyPage = ({ text, result, refusal }: Judged): Shown =>
  refusedOn({ template: 'policy', title: 'Try a policy', data: { text, result } }, refusal)

const judge = async ({ ask }: Visit, { one }: Fields): Promise<Shown> => {
  const text = one('policy')
  const json = readJson(utf8(text))
  if (E.isLeft(json))
    return policyPage({
      text,
      refusal: { status: 400, description: json.left.error_description, faults: [] },
    })
  const policy = decodeRegistrationPolicy(json.right)
  if (E.isLeft(policy))
    return policyPage({
      text,
      refusal: {
        status: 400,
        description: 'This is no registration policy',
        faults: policy.left.map(({ pointer, description }) => ({ member: pointer, description })),
      },
    })
  const answered = await ask('POST', '/registration-policy/judgement', { body: json.right })
  const clients = Array.isArray(answered.body) ? answered.body : []
  const violating = clients.filter(isViolating)
  return policyPage({
    text,
    refusal: refusalOf(answered),
    result: isDone(answered)
      ? { looked: clients.length, violating: violating.slice(0, 200), count: violating.length }
      : undefined,
  })
}

export const tryPolicyPage: Page = pageOf('policy', () => Promise.resolve(policyPage({ text: '{\n}' })), judge)
