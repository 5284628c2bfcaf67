/**
 * Words by which pages in many languages mark what is not their content: consent, offers, related links, small print.
 *
 * A word alone decides nothing. It is asked together with where a part stands and how much of it are links.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  /** @param {...RegExp} parts */
  const anyOf = (...parts) => new RegExp(parts.map(({ source }) => source).join('|'), 'i');

  shidiReader.words = {
    /** Asks for consent, with whatever name the law has there. */
    CONSENT: anyOf(
      /\bcookies?\b|\bgdpr\b|\bconsent\b|(?:value|respect) your privacy|privacy (?:preferences|settings)|tracking technolog/,
      /使用 ?cookie|隐私(?:设置|偏好)|個人資料|wir schätzen (?:deine|ihre) privatsphäre|einwilligung|vie privée|témoins de connexion/,
      /クッキー|쿠키|ملفات تعريف الارتباط|файлы cookie|файлов cookie/,
    ),

    /** Wants an address, a subscription, an account or a download. */
    OFFER: anyOf(
      /newsletter|subscribe|subscription|sign up|sign in to|log in to|mailing list|join (?:us|now|our|the)|create (?:an|your|a free) account/,
      /free trial|% off|discount|coupon|limited offer|(?:get|install|download|open in) (?:the|our) [\w ]{0,20}app\b|turn on notifications/,
      /you have \d+ free|free (?:articles|stories)|upgrade to|订阅|邮件列表|注册|登录后|下载(?:app|客户端)|打开app|开通会员|升级到|优惠|领取/,
      /扫一扫|扫码|二维码|关注(?:我们|公众号)|abonnieren|abonnez|s.inscrire|inscrivez|suscr[ií]b|iscriviti|assine|inscreva|お得|登録する|メルマガ/,
      /구독|뉴스레터|نشرتنا|اشترك|подпис|рассылк/,
    ),

    /** Offers to talk. */
    TALK: anyOf(
      /chat with us|need help\?|questions\?|live chat|contact support|how can we help|send feedback|在线(?:咨询|客服)|客服|意见反馈|智能(?:问答|客服)/,
      /回到?顶部|返回顶部|back to top|fale conosco|whatsapp/,
    ),

    /** Stands alone above what was paid for. */
    PAID: /^[[(【「]?(?:advertisements?|ads?|sponsored(?: (?:content|links?|results?))?|promoted|paid (?:content|partnership)|anzeige|werbung|publicité|sponsorisé|publicidad|patrocinado|pubblicità|annuncio|広告|pr|广告|推广|赞助(?:商|内容)?|реклама|광고|إعلان)[\])】」]?[:：]?$/i,

    /** Begins a line that was paid for. */
    PAID_BEFORE: /^(?:[[(【［](?:ad|pr|广告|推广|広告|anzeige)[\])】］]|推广[:：]|广告[:：])/i,

    /** Headings of what leads to other pages. */
    RELATED: anyOf(
      /^(?:related|recommended|suggested|similar|popular|trending|featured) ?(?:articles?|posts?|stories|content|searches|topics|pages|products|links|reading|jobs|questions|for you|now)?\b.{0,20}$/,
      /^(?:you (?:may|might) (?:also )?like|read (?:next|also|more)|more (?:from|on this|on|like|stories|in)\b.*|most (?:read|popular|viewed|shared).*|(?:latest|recent|top) (?:posts|news|articles|stories|comments)|what to read next|don.t miss|customers also .*|people also (?:viewed|bought).*|continue reading|up next|from our partners|share (?:this|on|via).*|share|follow us.*|next topic)[:：…]?$/,
      /^(?:相关|相關|推荐|推薦|延伸|热门|熱門|热搜|热议|精选|精選|最新|近期|往期|更多|精彩|关联)(?:文章|阅读|閱讀|推荐|推薦|信息|搜索|新闻|链接|内容|主题|话题|评论|回顾|视频|课程|问题|商品|专题|榜)/,
      /^(?:为你推荐|猜你喜欢|看了又看|可能感兴趣|你可能(?:还|也)?(?:喜欢|感兴趣)|大家都在|其他人还|延伸阅读|往期推荐|排行榜|热搜榜?|今日热议|热榜|分享(?:到|至|给)?[:：]?$|标签云|友情链接|相关推荐)/,
      /^.{0,6}(?:热搜|排行榜?|热榜)$/,
      /^(?:関連|人気|おすすめ|あわせて読みたい|アクセスランキング|ランキング|最新記事|시리즈|관련|인기|추천|많이 본|최신)/,
      /^(?:beliebte?|ähnliche|weitere|das könnte|mehr (?:zum|aus|von)|auch interessant|neueste|meistgelesen|à lire|articles? (?:liés|similaires|populaires)|sur le même|les plus lus)/,
      /^(?:te puede|relacionad|artículos relacionados|más (?:leíd|vist|sobre)|leia também|mais lid|relacionados|potrebbe interessart|leggi anche|più letti|articoli correlati)/,
      /^(?:اقرأ أيض|الأكثر قراءة|مواضيع ذات صلة|ذات صلة|читайте также|похожие|популярн|другие материалы)/,
    ),

    /** Small print at the foot of a page. */
    FOOT: anyOf(
      /©|\(c\) ?\d{4}|copyright|all rights reserved|privacy policy|terms of (?:use|service)|powered by|cookie (?:policy|settings)/,
      /版权所有|备案|icp|技术支持|主办(?:单位)?[:：]|建议使用|最佳浏览|网站地图|友情链接|隐私政策|用户协议/,
      /impressum|datenschutz|mentions légales|plan du site|aviso legal|política de privacid|note legali|informativa privacy/,
      /無断転載|プライバシー|個人情報|개인정보|جميع الحقوق|политика конфиденциальности|все права/,
    ),

    /** A link or button that leads to an account. */
    ACCOUNT:
      /^(?:please )?(?:sign ?in|sign ?up|log ?in|log ?on|register|join|create (?:an )?account|登录|登陆|注册|立即注册|免费注册|登录\/注册|anmelden|registrieren|einloggen|(?:se )?connect(?:er|ez-vous)|s.inscrire|iniciar sesión|reg[ií]strate|entrar|accedi|registrati|ログイン|会員登録|로그인|회원가입|войти|регистрация|تسجيل الدخول)(?: (?:now|here|to .{0,20}|for .{0,20}))?[ >›!.]*$/i,

    /** Does something with the page as a whole. */
    TOOL: anyOf(
      /^.{0,4}(?:print(?:er)?\b|e-?mail (?:this|to)|bookmark|save (?:this|page)|add to favou?rites|download (?:as )?pdf|打印|关闭窗口|收藏本页|设为首页|加入收藏)/,
      /^.{0,4}(?:drucken|imprimer|imprimir|stampa|印刷|인쇄)/,
    ),

    /** Asks what the reader thinks of the page. */
    SURVEY: anyOf(
      /was this (?:page|article|answer|information)|(?:page|article) helpful|did you find (?:what|this)|rate this page|give (?:us |your )?feedback|help us improve/,
      /(?:是否|对您|对你)(?:有|.{0,4}有)(?:帮助|用)|是否满意|满意(?:度|吗)|만족하십니까|war (?:dieser|diese).{0,20}hilfreich|utile \?|¿te (?:ha )?(?:resultado|sido) útil/,
    ),

    /** Words for what went wrong. */
    FAULT: anyOf(
      /\b(?:errors?|exception|traceback|failed|failure|fatal|panic|crash(?:ed)?|not found|unavailable|timed? ?out|forbidden|unauthori[sz]ed|denied|invalid|refused|unhandled|segfault|cannot|couldn.t|unable)\b/,
      /错误|失败|异常|报错|出错|无法|不存在|拒绝|超时|找不到|未找到|崩溃|fehler|erreur|échec|error|fallo|errore|erro\b|エラー|失敗|오류|실패|ошибка|خطأ/,
    ),
  };
}
