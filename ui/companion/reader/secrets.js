/**
 * Which fields hold what nobody but the person may know: passwords, one-time codes, cards, and whatever looks like one.
 *
 * Stays on the safe side: a field that is taken for a secret by mistake is missing, a secret that is not is told.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { attributeOf, localName, hintOf, named, one, textContent, closest, all } = shidiReader.dom;

  /** What browsers fill in by themselves, and nobody else may read. */
  const AUTOCOMPLETE = /\b(?:current-password|new-password|one-time-code|cc-[a-z-]+|webauthn)\b/;

  /** Types that are no field to be read. */
  const NEVER = new Set(['password', 'hidden']);

  /** Names and ids, in small letters and with words apart. */
  const NAMED = new RegExp(
    [
      /(?:^|[^a-z])(?:pass(?:wd|word|code|phrase|wort|w)?|pwd|pswd|kennwort|senha|mima|kouling)(?![a-z])|password/,
      /(?:^|[^a-z])(?:pin|otp|totp|2fa|mfa|yzm|yanzhengma|captcha)(?![a-z])|one-?time|(?:auth|verif|verification|sms)-?code/,
      /(?:^|[^a-z])(?:cvv2?|cvc2?|csc|pan|cc-?(?:num|number|name|exp|csc|cvc|cvv|month|year)?)(?![a-z])|security-?(?:code|answer)/,
      /card-?(?:number|num|no|code|holder|expiry|exp|cvc|cvv|name)|(?:credit|debit|bank)-?card/,
      /secret|private-?key|api-?key|mnemonic|seed-?phrase|(?:^|[^a-z])(?:access-?)?token(?![a-z])/,
    ]
      .map(({ source }) => source)
      .join('|'),
  );

  /** Classes are named by makers of kits, and say less: only what can mean nothing else. */
  const CLASSED = /password|passwd|(?:^|[^a-z])(?:cvv|cvc|otp)(?![a-z])|card-?number/;

  /** Labels, placeholders and titles, in the languages of the interface and their neighbours. */
  const LABELLED = new RegExp(
    [
      /pass(?:word|code|phrase)|\b(?:pin|otp|cvv2?|cvc2?|csc)\b|one[- ]time (?:code|password)|verification code/,
      /security (?:code|answer)|authenticat(?:ion|or) code|\b[0-9]-digit code|secret|recovery (?:phrase|key)/,
      /(?:private|api) key|access token|name on (?:the )?card|card ?holder|card (?:number|no\b)|valid thru/,
      /^\W*expir(?:y|ation|es)(?: date| month| year)?\W*$|\bmm ?\/ ?yy/,
      /密码|口令|密碼|验证码|驗證碼|校验码|动态码|安全码|卡号|卡號|信用卡|持卡人|密钥|私钥|助记词|令牌|支付码/,
      /passwort|kennwort|prüfziffer|kartennummer|mot de passe|numéro de (?:la )?carte|code de sécurité|contraseña/,
      /número de (?:la )?tarjeta|código de seguridad|senha|numero (?:di|della) carta|codice di sicurezza|パスワード/,
      /暗証番号|認証コード|カード番号|セキュリティコード|비밀번호|인증번호|카드 ?번호|пароль|код подтверждения|номер карты/,
      /كلمة المرور|كلمة السر|رمز التحقق/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'im',
  );

  /** Groups of four digits, as they stand on a card. */
  const CARD = /^\D*\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}\D*$/;

  /** Fields that were once typed as a password, and were made readable since. */
  const concealed = new WeakSet();

  /**
   * @param {Element} field An input, textarea, select or editable element.
   * @param {string} [label] What stands beside it, where that is known.
   * @returns {boolean}
   */
  function isSecret(field, label = '') {
    if (concealed.has(field)) return true;
    const isOne = looksSecret(field) || LABELLED.test(label) || LABELLED.test(ownLabel(field));
    if (isOne || isMasked(field)) concealed.add(field);
    return concealed.has(field);
  }

  /** @param {Element} field */
  function looksSecret(field) {
    const name = localName(field);
    if (name === 'input' && NEVER.has(attributeOf(field, 'type').trim().toLowerCase())) return true;
    if (AUTOCOMPLETE.test(attributeOf(field, 'autocomplete').toLowerCase())) return true;
    if (CLASSED.test(hintOf(field))) return true;
    if (NAMED.test(apart(`${attributeOf(field, 'name')} ${attributeOf(field, 'id')}`))) return true;
    return name === 'input' && CARD.test(valueOf(field));
  }

  /**
   * A field may hide what is typed by its style alone.
   * @param {Element} field
   */
  function isMasked(field) {
    const hides = getComputedStyle(field).getPropertyValue('-webkit-text-security');
    return hides !== '' && hides !== 'none';
  }

  /**
   * What the field says of itself, and its label says of it.
   * @param {Element} field
   */
  function ownLabel(field) {
    const said = ['placeholder', 'title', 'aria-label', 'aria-placeholder'].map((name) => attributeOf(field, name));
    for (const id of attributeOf(field, 'aria-labelledby').split(/\s+/)) {
      const by = named(field, id);
      if (by !== null) said.push(textContent(by) ?? '');
    }
    const id = attributeOf(field, 'id');
    const root = Node.prototype.getRootNode.call(field);
    const label = (id === '' ? null : one(root, `label[for="${CSS.escape(id)}"]`)) ?? closest(field, 'label');
    if (label !== null) said.push(textContent(label) ?? '');
    return said.join('\n').slice(0, 1_000);
  }

  /** @param {Element} field */
  function valueOf(field) {
    const get = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.get;
    try {
      return String(get?.call(field) ?? '');
    } catch {
      return '';
    }
  }

  /** @param {string} text */
  function apart(text) {
    return text.replace(/([a-z])(?=[A-Z])/g, '$1-').toLowerCase();
  }

  /**
   * Remembers the fields that hide what is typed now: a button beside them may show it later.
   * @param {Document | ShadowRoot} root
   */
  function remember(root) {
    for (const field of all(root, 'input[type=password i]')) concealed.add(field);
  }

  shidiReader.secrets = { isSecret, remember };
}
