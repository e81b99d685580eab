import { around } from './around.js'
import type { Messages } from './messages.js'
import { plural } from './plural.js'

const applications = plural('ar', {
  few: (count) => `${count} تطبيقات`,
  many: (count) => `${count} تطبيقًا`,
  other: (count) => `${count} تطبيق`,
})

export const ar: Messages = {
  direction: 'rtl',
  more: plural('ar', {
    one: () => 'وتطبيق واحد آخر',
    two: () => 'وتطبيقان آخران',
    few: (count) => `و${count} تطبيقات أخرى`,
    many: (count) => `و${count} تطبيقًا آخر`,
    other: (count) => `و${count} تطبيق آخر`,
  }),
  redirectRefusal: {
    unidentified: 'لن تعود إلى أي تطبيق، لأنه ليس من المؤكد أي تطبيق أرسل هذا الطلب.',
    unverified: 'لن تعود إلى التطبيق، لأنه تعذّر التحقق من طلبه.',
    outdated: 'لن تعود إلى التطبيق، لأن طلبه قديم جدًا.',
    contradictory: 'لن تعود إلى التطبيق، لأن طلبه متناقض.',
    otherUser: 'لن تعود إلى التطبيق، لأن طلبه يخص مستخدمًا آخر.',
    otherSession: 'لن تعود إلى التطبيق، لأن طلبه يخص جلسة أخرى.',
    address: 'لن تعود إلى التطبيق، لأن عنوان العودة الذي حدده غير مسموح به.',
  },
  dialog: {
    heading: 'هل تريد تسجيل الخروج؟',
    back: around('في الحالتين ستعود بعد ذلك إلى {application}.'),
    applications: 'عند تسجيل الخروج سيُسجَّل خروجك أيضًا من:',
    manyApplications: (count) => `عند تسجيل الخروج سيُسجَّل خروجك أيضًا من ${applications(count)}`,
    logout: 'تسجيل الخروج',
    stay: 'إبقاء الجلسة مفتوحة',
  },
  nobody: {
    heading: 'لا توجد جلسة مفتوحة',
    lead: 'سبق أن سجّلت الخروج، أو انتهت صلاحية جلستك.',
    back: around('العودة إلى {application}'),
  },
  signed_out: {
    heading: 'تم تسجيل الخروج',
    applications: 'يجري أيضًا تسجيل خروجك من:',
    manyApplications: (count) => `يجري أيضًا تسجيل خروجك من ${applications(count)}`,
    lead: 'يمكنك الآن إغلاق هذه النافذة.',
    back: around('المتابعة إلى {application}'),
    stillElsewhere: 'قد تكون جلستك لا تزال مفتوحة لدى الخدمة التي أكدت هويتك.',
    elsewhere: around('تسجيل الخروج من {provider} أيضًا'),
  },
  still_signed_in: {
    heading: 'جلستك لا تزال مفتوحة',
    lead: 'لم يتغير شيء. يمكنك إغلاق هذه النافذة.',
  },
  gone: {
    heading: 'لم تعد هذه الصفحة صالحة',
    lead: 'سبق الرد عليها، أو انتهت صلاحيتها، أو تعود إلى متصفح آخر. لم يتغير شيء.',
    again: 'إذا كنت لا تزال ترغب في تسجيل الخروج، فيُرجى البدء من جديد.',
  },
  unavailable: {
    heading: 'لا يمكن تسجيل الخروج حاليًا',
    lead: 'لم يتغير شيء. يُرجى المحاولة مرة أخرى بعد بضع دقائق.',
  },
  too_many_requests: {
    heading: 'طلبات كثيرة جدًا',
    lead: 'وردت طلبات كثيرة من شبكتك. لم يتغير شيء. يُرجى الانتظار قليلًا ثم المحاولة مرة أخرى.',
  },
  home: {
    heading: 'هذا مزود OpenID',
    lead: 'هنا تُسجَّل التطبيقات وتُنشر المفاتيح ويُسجَّل الخروج.',
    metadata: 'بيانات المزود',
    keySet: 'مجموعة المفاتيح',
    playground: 'ساحة التجربة: جرّب تسجيل تطبيق',
    consents: 'تطبيقاتك',
    logout: 'تسجيل الخروج من هذه الخدمة',
    readme: 'يشرح ملف README الخاص بـ Clientele كيفية تسجيل التطبيقات.',
  },
  not_found: { heading: 'لا يوجد شيء هنا', lead: 'يُرجى التحقق من العنوان.' },
  needs_token: {
    heading: 'هذا العنوان مخصص للبرامج',
    lead: 'تقرأ البرامج التسجيلات وتغيّرها هنا، وتقدّم رمزًا لا يملكه المتصفح.',
    where: 'إذا كنت تتوقع صفحة، فيُرجى التحقق من العنوان.',
  },
}
