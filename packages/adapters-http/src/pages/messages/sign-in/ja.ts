import { around, whole } from '../around.js'
import type { SignInMessages } from './sign-in-messages.js'

export const ja: SignInMessages = {
  signedInAs: around('{user} としてログイン中'),
  onward: around('{service} へ'),
  again: 'もう一度試す',
  login: {
    heading: 'ログイン',
    lead: around('{application} に進むにはログインしてください'),
    development:
      'このページは開発専用です。アクセスできる人は誰でもこれらのアカウントを使えます。本物のパスワードは絶対に入力しないでください。',
    accounts: 'アカウント',
    username: 'ユーザー名',
    password: 'パスワード',
    submit: '続ける',
    cancel: 'キャンセル',
    refused: 'ユーザー名とパスワードが一致しません。もう一度お試しください。',
  },
  consent: {
    heading: 'アクセスを許可しますか？',
    asks: around('{host} のアプリケーションが、あなたのアカウントへのアクセスを求めています。'),
    asksOnDevice: around(
      'このデバイス上のアプリケーション（{host}）が、あなたのアカウントへのアクセスを求めています。',
    ),
    claimed: around('名前は「{name}」と名乗っています。この名前は誰でも名乗れます。'),
    nameless: '名前は示されていません。',
    named: around('名前は「{name}」です。'),
    verified: around('{host} がこの名前とアドレスを保証しています。'),
    otherHosts: '次の場所でもあなたのデータを受け取ることができます。',
    scope: '求められている内容：',
    scopes: {
      openid: 'ログインのための本人確認',
      profile: '名前とプロフィール',
      email: 'メールアドレス',
      address: '住所',
      phone: '電話番号',
      offline_access: '使用していないときのアクセス',
    },
    resource: around('{resource} では：'),
    warnings: {
      loopback_only: whole(
        'このデバイス上のどのプログラムも、このアプリケーションになりすますことができます。たった今ご自身でログインを始めた場合にのみ続けてください。',
      ),
      private_use_scheme: around(
        'このデバイス上で {scheme} を開くどのアプリケーションも、回答を受け取ることができます。たった今ご自身でログインを始めた場合にのみ続けてください。',
      ),
      looks_like: around('名前が「{name}」と紛らわしいですが、このアプリケーションは無関係です。'),
      claims_status: around('名前に「{word}」が含まれています。確認されたものではありません。'),
      mixed_scripts: whole('名前に複数の文字体系が混ざっています。偽物によくある特徴です。'),
    },
    changed: '前回の許可から次の点が変わりました。',
    changes: {
      identity: 'アプリケーションの保証元',
      name: 'アプリケーションの名前',
      redirect_hosts: 'アプリケーションがデータを受け取る場所',
      keys: 'アプリケーションの鍵',
      scope: 'アプリケーションが求める内容',
      resources: 'アプリケーションのアクセス先',
    },
    allow: '許可する',
    deny: '許可しない',
  },
  consents: {
    heading: 'アクセスを許可したアプリケーション',
    lead: '次のアプリケーションに、あなたのアカウントへのアクセスを許可しています。',
    empty: 'あなたのアカウントにアクセスできるアプリケーションはありません。',
    since: around('{date} から'),
    revoke: 'アクセスを取り消す',
    revoked: 'アプリケーションのアクセスを取り消しました。',
  },
  login_failed: {
    heading: 'ログインできませんでした',
    lead: 'ログインが拒否されたか、中断されました。変更は行われていません。',
  },
  not_permitted: {
    heading: 'ここにはログインできません',
    lead: '本人確認はできましたが、お使いのアカウントにはここへのログインが許可されていません。',
    ask: '誤りだと思われる場合は、このサービスの運営者にお問い合わせください。',
    otherAccount: '別のアカウントでログイン',
  },
  sign_in_misconfigured: {
    heading: 'ログインが正しく設定されていません',
    lead: '本人確認を行うサービスが、このサービスからの要求を拒否しています。アカウントに問題はなく、再試行しても解決しません。',
    ask: 'このサービスの運営者にお知らせください。修正すべき点はログに記録されています。',
  },
  too_many_attempts: {
    heading: '試行回数が多すぎます',
    lead: '安全のため、このログインは終了しました。アプリケーションからやり直すことができます。',
    leave: 'アプリケーションに戻る',
  },
  interaction_gone: {
    heading: 'このログインは無効になりました',
    lead: 'すでに完了しているか、有効期限が切れたか、別のブラウザーのものです。',
    restart: 'ログインする場合は、アプリケーションからもう一度やり直してください。',
  },
  request_error: {
    heading: 'アプリケーションに誤りがあります',
    lead: 'アプリケーションから無効なリクエストが送られました。あなたのアカウントに影響はありません。',
    code: 'アプリケーションの開発者向け：',
    back: around('{application} に帰る'),
  },
  application_suspended: {
    heading: 'このアプリケーションは停止されています',
    lead: 'このサービスの運営者がアプリケーションを停止したため、現在は誰もログインできません。あなたのアカウントに影響はありません。',
    code: '開発者向け：',
  },
  sign_in_unavailable: {
    heading: '現在ログインできません',
    lead: '数分後にもう一度お試しください。アカウントに変更はありません。',
  },
}
