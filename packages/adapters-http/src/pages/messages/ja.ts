import { around } from './around.js'
import type { Messages } from './messages.js'

export const ja: Messages = {
  direction: 'ltr',
  more: (count) => `ほか ${count} 件`,
  redirectRefusal: {
    unidentified: 'どのアプリケーションからのリクエストか確認できないため、アプリケーションには戻りません。',
    unverified: 'アプリケーションからのリクエストを検証できなかったため、アプリケーションには戻りません。',
    outdated: 'アプリケーションからのリクエストが古すぎるため、アプリケーションには戻りません。',
    contradictory: 'アプリケーションからのリクエストの内容に矛盾があるため、アプリケーションには戻りません。',
    otherUser: 'アプリケーションからのリクエストが別のユーザーに関するものであるため、アプリケーションには戻りません。',
    otherSession:
      'アプリケーションからのリクエストが別のセッションに関するものであるため、アプリケーションには戻りません。',
    address: '戻り先として指定されたアドレスが許可されていないため、アプリケーションには戻りません。',
  },
  dialog: {
    heading: 'ログアウトしますか？',
    back: around('どちらを選んでも、その後 {application} に戻ります。'),
    applications: 'ログアウトすると、次のアプリケーションからもログアウトします。',
    manyApplications: (count) => `ログアウトすると、${count} 件のアプリケーションからもログアウトします`,
    logout: 'ログアウトする',
    stay: 'ログインしたままにする',
  },
  nobody: {
    heading: 'ログインしていません',
    lead: 'すでにログアウトしたか、セッションの有効期限が切れています。',
    back: around('{application} に戻る'),
  },
  signed_out: {
    heading: 'ログアウトしました',
    applications: '次のアプリケーションからもログアウトしています。',
    manyApplications: (count) => `${count} 件のアプリケーションからもログアウトしています`,
    lead: 'このウィンドウは閉じていただいて構いません。',
    back: around('{application} に進む'),
    stillElsewhere: '本人確認を行ったサービスには、まだログインしている可能性があります。',
    elsewhere: around('{provider} からもログアウトする'),
  },
  still_signed_in: {
    heading: 'ログインしたままです',
    lead: '変更はありません。このウィンドウは閉じていただいて構いません。',
  },
  gone: {
    heading: 'このページは無効になりました',
    lead: 'すでに回答済みか、有効期限が切れたか、別のブラウザーのページです。変更は行われていません。',
    again: 'ログアウトする場合は、もう一度最初からやり直してください。',
  },
  unavailable: {
    heading: '現在ログアウトできません',
    lead: '変更は行われていません。数分後にもう一度お試しください。',
  },
  too_many_requests: {
    heading: 'リクエストが多すぎます',
    lead: 'お使いのネットワークから多数のリクエストがありました。変更は行われていません。しばらく待ってからもう一度お試しください。',
  },
  home: {
    heading: 'これは OpenID プロバイダーです',
    lead: 'アプリケーションの登録、鍵の公開、ログアウトを行う場所です。',
    metadata: 'プロバイダーのメタデータ',
    keySet: '鍵セット',
    playground: 'プレイグラウンド：登録を試す',
    consents: 'あなたのアプリケーション',
    logout: 'このサービスからログアウトする',
    readme: 'アプリケーションの登録方法は Clientele の README をご覧ください。',
  },
  not_found: { heading: 'ここには何もありません', lead: 'アドレスをご確認ください。' },
  needs_token: {
    heading: 'このアドレスはプログラム用です',
    lead: 'プログラムがここで登録内容を読み取り、変更します。プログラムはトークンを提示しますが、ブラウザーにはトークンがありません。',
    where: 'ページが表示されるはずの場合は、アドレスをご確認ください。',
  },
}
