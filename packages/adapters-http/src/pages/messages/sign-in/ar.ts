import { around, whole } from '../around.js'
import type { SignInMessages } from './sign-in-messages.js'

export const ar: SignInMessages = {
  signedInAs: around('الجلسة باسم {user}'),
  onward: around('الانتقال إلى {service}'),
  again: 'إعادة المحاولة',
  login: {
    heading: 'تسجيل الدخول',
    lead: around('للمتابعة إلى {application}'),
    development:
      'هذه الصفحة مخصصة للتطوير فقط. يمكن لكل من يصل إليها استخدام هذه الحسابات: لا تُدخل أبدًا كلمة مرور حقيقية.',
    accounts: 'الحسابات',
    username: 'اسم المستخدم',
    password: 'كلمة المرور',
    submit: 'متابعة',
    cancel: 'إلغاء',
    refused: 'اسم المستخدم وكلمة المرور غير متطابقين. يُرجى المحاولة مرة أخرى.',
  },
  consent: {
    heading: 'هل تسمح بالوصول؟',
    asks: around('يطلب تطبيق على {host} الوصول إلى حسابك.'),
    asksOnDevice: around('يطلب تطبيق على جهازك ({host}) الوصول إلى حسابك.'),
    claimed: around('يسمّي نفسه {name}. يمكن لأي جهة استخدام هذا الاسم.'),
    nameless: 'لا يذكر اسمًا.',
    named: around('اسمه {name}.'),
    verified: around('تضمن {host} هذا الاسم وهذا العنوان.'),
    otherHosts: 'يمكنه أيضًا استلام بياناتك على:',
    scope: 'يطلب:',
    scopes: {
      openid: 'معرفة هويتك لتسجيل دخولك',
      profile: 'اسمك وملفك الشخصي',
      email: 'بريدك الإلكتروني',
      address: 'عنوانك البريدي',
      phone: 'رقم هاتفك',
      offline_access: 'الوصول حتى عندما لا تستخدمه',
    },
    resource: around('على {resource}:'),
    warnings: {
      loopback_only: whole(
        'يمكن لأي برنامج على جهازك أن ينتحل صفة هذا التطبيق. تابع فقط إذا بدأت تسجيل الدخول بنفسك للتو.',
      ),
      private_use_scheme: around(
        'يمكن لأي تطبيق على جهازك يفتح {scheme} أن يستلم الرد. تابع فقط إذا بدأت تسجيل الدخول بنفسك للتو.',
      ),
      looks_like: around('قد يُظن أن الاسم هو {name}، لكن هذا التطبيق لا يتبع له.'),
      claims_status: around('يحتوي الاسم على «{word}». لم يتحقق أحد من ذلك.'),
      mixed_scripts: whole('يمزج الاسم حروفًا من عدة أبجديات، كما تفعل الأسماء المزيفة.'),
    },
    changed: 'تغيّر ما يلي منذ آخر مرة سمحت فيها:',
    changes: {
      identity: 'الجهة التي تضمن التطبيق',
      name: 'اسم التطبيق',
      redirect_hosts: 'المكان الذي يستلم فيه التطبيق بياناتك',
      keys: 'مفاتيح التطبيق',
      scope: 'ما يطلبه التطبيق',
      resources: 'المكان الذي يريد التطبيق الوصول إليه',
    },
    allow: 'السماح',
    deny: 'عدم السماح',
  },
  consents: {
    heading: 'التطبيقات التي لها حق الوصول',
    lead: 'سمحت لهذه التطبيقات بالوصول إلى حسابك.',
    empty: 'لا يوجد تطبيق له حق الوصول إلى حسابك.',
    since: around('منذ {date}'),
    revoke: 'إلغاء الوصول',
    revoked: 'أُلغي وصول التطبيق.',
  },
  login_failed: {
    heading: 'لم ينجح تسجيل الدخول',
    lead: 'رُفض تسجيل الدخول أو قوطع. لم يتغير شيء.',
  },
  too_many_attempts: {
    heading: 'محاولات كثيرة جدًا',
    lead: 'لحمايتك انتهى تسجيل الدخول هذا. يمكنك البدء من جديد في التطبيق.',
    leave: 'العودة إلى التطبيق',
  },
  interaction_gone: {
    heading: 'لم يعد تسجيل الدخول هذا صالحًا',
    lead: 'سبق إكماله، أو انتهت صلاحيته، أو يعود إلى متصفح آخر.',
    restart: 'إذا كنت لا تزال ترغب في تسجيل الدخول، فيُرجى البدء من جديد في التطبيق.',
  },
  request_error: {
    heading: 'أخطأ التطبيق',
    lead: 'أرسلك إلى هنا بطلب غير صالح. لم يتأثر حسابك.',
    code: 'لمطوّر التطبيق:',
    back: around('الرجوع إلى {application}'),
  },
  sign_in_unavailable: {
    heading: 'لا يمكن تسجيل الدخول حاليًا',
    lead: 'يُرجى المحاولة مرة أخرى بعد بضع دقائق. لم يتغير حسابك.',
  },
}
