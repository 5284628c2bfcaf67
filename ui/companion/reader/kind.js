/**
 * What sort of page it is, by what is on it: how much of it is code, tables, fields or paragraphs, and what its parts
 * are called.
 */
'use strict';

/**
 * @typedef {'article' | 'error' | 'form' | 'table' | 'code' | 'diff' | 'search' | 'mail' | 'sheet' | 'list' | 'app'
 *   | 'empty' | 'docs' | 'shop' | 'forum'} Kind
 */
/**
 * @typedef {object} Evidence
 * @property {Block[]} blocks
 * @property {readonly Part[]} parts
 * @property {Field[]} fields
 * @property {Button[]} buttons
 * @property {string} title
 * @property {string} text
 */

var shidiReader = shidiReader || {};
{
  const { hintOf, attribute } = shidiReader.parts;
  const { lettersOf, linkShare, holds } = shidiReader.measure;
  const { words } = shidiReader;

  const TRACE =
    /^\s*at [\w.$<>]+ ?\(|Traceback \(most recent|Caused by:|panicked at|Uncaught (?:\w*Error|exception)|Fatal error:|Unhandled \w+ (?:Error|Exception)|Exception in thread|^\s*File ".*", line \d+|exit code [1-9]|segmentation fault|Exception (?:Type|Value|Location):|Stack ?trace/im;
  const STATUS = /\b(?:400|401|403|404|405|408|410|418|429|500|501|502|503|504|520|522)\b/;
  const PRICE = /(?:[$€£¥￥₹₩]|US\$|CHF|kr\.?|EUR|USD|RMB)\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|£|元|円|USD|EUR|zł|kr|руб)/;
  const BUY =
    /add to (?:cart|basket|bag)|buy (?:it )?now|加入购物车|立即购买|立刻购买|购买|in den warenkorb|ajouter au panier|añadir al carrito|カートに入れる|장바구니|в корзину|aggiungi al carrello|adicionar ao carrinho/i;
  const REPLY = /^(?:reply|reply all|回复|回复全部|答复|antworten|répondre|responder|rispondi|返信|답장|ответить|↩.*)/i;
  const MAIL_LINE =
    /(?:^|[\s|*])(?:from|to|cc|subject|发件人|收件人|抄送|主\s?题|时\s?间|von|an|betreff|de|à|objet|para|asunto|差出人|宛先|件名|보낸\s?사람|받는\s?사람|от|кому)\s?[:：]|\bto me\b|\bwrote:\s*$|写道[:：]/im;
  const RESULTS =
    /\b[\d.,]+\s+(?:results?|hits|matches|ergebnisse|résultats|resultados|risultati)\b|结果(?:约|共|数)?[:：]?\s*[\d,]+|[\d,]+\s?(?:个|条|项)(?:相关)?结果|検索結果|검색 ?결과|результат/i;
  const SEARCHING = /\bsearch\b|results for|搜索|检索|查询结果|suche|recherche|búsqueda|ricerca|検索|검색|поиск/i;
  const REPLIES =
    /\b\d+\s+(?:answers?|replies|comments|posts|antworten|réponses|respuestas|risposte|ответ)|\d+\s?(?:条|个|则)?(?:回复|回答|评论|跟帖)|回帖|楼主|返信/i;
  const POST_NAMED =
    /(?:^|[^a-z])(?:post|topic|thread|answer|reply|comment|question|message-?list|post-?stream|cooked)(?:s|-\w+)?(?![a-z])/;
  const DOCS =
    /(?:^|[^a-z])(?:docs?|documentation|api|reference|manual|handbook|guide|tutorial|wiki-?docs|sphinx\w*|docusaur\w*|vp-doc|theme-doc\w*|mkdocs)(?![a-z])|文档|手册|参考|使用说明|说明书|教程|anleitung|handbuch|guia|guía|mode d.emploi|istruzioni|руководство|マニュアル|ガイド|설명서/i;
  const NOTHING =
    /(?:no|nothing) (?:\w+ ){0,3}(?:yet|found|here|to (?:show|see))|is empty|暂无|还没有|什么都没有|没有(?:内容|数据|记录)|空空如也|keine .{0,20}(?:vorhanden|gefunden)|まだ.{0,10}ありません|loading/i;

  /**
   * @param {Evidence} page
   * @returns {Kind}
   */
  function kindOf(page) {
    const facts = count(page);
    if (facts.letters + facts.fields * 20 < 40 && facts.rows === 0) return facts.widgets > 2 ? 'app' : 'empty';
    for (const [kind, is] of RULES) if (is(facts, page)) return kind;
    return facts.paragraphs === 0 && facts.widgets > 3 ? 'app' : 'article';
  }

  /** @typedef {ReturnType<typeof count>} Counts */

  /** @type {[Kind, (facts: Counts, page: Evidence) => boolean][]} */
  const RULES = [
    ['sheet', ({ isSheet }) => isSheet],
    ['diff', ({ diff, letters, diffNamed }) => diff > letters * 0.15 || (diffNamed && diff > 0)],
    ['error', isError],
    ['mail', ({ mail }) => mail >= 3],
    ['search', isSearch],
    ['shop', ({ prices, buys, paragraphs }) => (prices > 0 && buys > 0) || (prices >= 4 && paragraphs < 4 && buys > 0)],
    ['form', isForm],
    ['code', ({ code, letters, paragraphs }) => code > letters * 0.45 || (code > letters * 0.3 && paragraphs <= 3)],
    ['forum', isForum],
    ['table', isTable],
    ['empty', ({ letters, says }) => letters < 160 && says.nothing],
    ['docs', isDocs],
    ['app', isApp],
    ['list', ({ entries, paragraphs }) => entries >= 3 && paragraphs <= entries * 2],
  ];

  /**
   * @param {Evidence} page
   */
  function count({ blocks, parts, fields, buttons, title, text }) {
    const start = text.slice(0, 6_000);
    const kept = parts.filter(({ out, element }) => out === '' && element !== null);
    const rowsOf = (/** @type {Block} */ { rows }) => rows?.length ?? 0;
    const tables = blocks.filter((block) => rowsOf(block) > 0);
    const letters = blocks.reduce((sum, block) => sum + lettersOf(block.text), 0);
    const fenced = blocks.filter(({ code }) => code !== undefined);
    const sum = (/** @type {Block[]} */ some) => some.reduce((all, block) => all + lettersOf(block.text), 0);
    const inputs = fields.filter(
      ({ kind, label }) => kind !== 'search' && !/^(?:数量|quantity|qty|sort.*|show)$/i.test(label),
    );
    return {
      letters,
      code: sum(fenced),
      diff: sum(fenced.filter(({ code }) => code === 'diff')) + changed(kept),
      diffNamed: kept.some((part) => /(?:^|[^a-z])diffs?(?![a-z])/.test(hintOf(part))),
      rows: Math.max(0, ...tables.map(rowsOf)),
      tabled: sum(tables),
      isSheet: tables.some(isSheet),
      fields: inputs.length,
      problems: fields.filter(({ problem }) => problem !== undefined).length,
      paragraphs: blocks.filter(isParagraph).length,
      sentences: blocks.filter(isSentence).length,
      blocks: blocks.length,
      headings: blocks.filter((block) => block.text.startsWith('#')).length,
      entries: entriesIn(kept),
      prices: (start.match(new RegExp(PRICE, 'g')) ?? []).length,
      buys: buttons.filter(({ label }) => BUY.test(label)).length,
      mail: mailSigns(start, buttons),
      widgets: buttons.length,
      says: {
        results: RESULTS.test(start),
        searching: SEARCHING.test(title),
        replies: REPLIES.test(text),
        nothing: NOTHING.test(start),
      },
    };
  }

  /** @param {readonly Part[]} kept */
  function changed(kept) {
    const [ins, del] = ['ins', 'del'].map(
      (name) => kept.filter((part) => part.name === name && part.letters > 0).length,
    );
    return (ins ?? 0) > 0 && (del ?? 0) > 0 && kept.some((part) => /(?:^|[^a-z])diff(?![a-z])/.test(hintOf(part)))
      ? 400
      : 0;
  }

  /** @param {Block} block */
  function isParagraph({ text, rows, code }) {
    return rows === undefined && code === undefined && !text.startsWith('#') && lettersOf(text) >= 70;
  }

  /** @param {Block} block */
  function isSentence({ text, rows, code }) {
    const isText = rows === undefined && code === undefined && !text.startsWith('#');
    return isText && /[.!?。!?؟…]["”»』」)]?\s*$/.test(text) && lettersOf(text) >= 24;
  }

  /**
   * Columns that are called by letters.
   * @param {Block} block
   */
  function isSheet({ rows }) {
    const head = rows?.[0]?.text.split('\n')[0] ?? '';
    return /\|\s*A\s*\|\s*B\s*\|/.test(head);
  }

  /**
   * Parts of one kind that stand one below the other, each with a link.
   * @param {readonly Part[]} kept
   */
  function entriesIn(kept) {
    let most = 0;
    for (const part of kept) {
      if (part.parts.length < 3 || part.name === 'tr' || part.name === 'tbody') continue;
      /** @type {Map<string, number>} */
      const kinds = new Map();
      for (const one of part.parts) {
        if (one.out !== '' || !one.isBlock || one.letters < 30 || one.letters > 2_000 || linkShare(one) === 0) continue;
        const kind = `${one.name} ${hintOf(one).split(' ')[0]}`;
        if (one.name !== 'p') kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      most = Math.max(most, ...kinds.values());
    }
    return most;
  }

  /**
   * @param {string} text
   * @param {Button[]} buttons
   */
  function mailSigns(text, buttons) {
    const answers = buttons.filter(({ label }) => REPLY.test(label)).length > 0;
    const forwards = buttons.some(({ label }) =>
      /^(?:forward|转发|weiterleiten|transférer|reenviar|inoltra|転送|전달|переслать)/i.test(label),
    );
    const lines = (text.match(new RegExp(MAIL_LINE, 'gim')) ?? []).length;
    const address = /[\w.+-]+@[\w-]+\.[\w.]+/.test(text);
    return (answers ? 1 : 0) + (forwards ? 1 : 0) + Math.min(lines, 2) + (address ? 1 : 0);
  }

  /**
   * @param {Counts} facts
   * @param {Evidence} page
   */
  function isError({ letters, paragraphs, fields }, { title, text, parts }) {
    const start = text.slice(0, 1_500);
    if (TRACE.test(text.slice(0, 20_000)) && (words.FAULT.test(start) || letters < 6_000) && paragraphs < 12)
      return true;
    const heading = `${title}\n${firstLine(start)}\n${start
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .slice(0, 3)
      .join('\n')}`;
    const isNamed = words.FAULT.test(heading) || STATUS.test(heading);
    if (isNamed && letters < 1_500 && fields < 2) return true;
    const isTold = parts.some(
      (part) => part.out === '' && part.role === 'alert' && words.FAULT.test(shidiReader.measure.beginning(part, 300)),
    );
    return (
      (isTold || (STATUS.test(start) && words.FAULT.test(start))) && letters < 1_500 && fields < 2 && paragraphs < 5
    );
  }

  /** @param {string} text */
  function firstLine(text) {
    const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]{2}/u.test(line));
    return (lines[0] ?? '').length <= 60 ? (lines[0] ?? '') : '';
  }

  /**
   * @param {Counts} facts
   * @param {Evidence} page
   */
  function isSearch({ entries, says, paragraphs }, { fields }) {
    const isAsked = fields.some(
      ({ kind, value, label }) => value !== '' && (kind === 'search' || SEARCHING.test(label)),
    );
    return (
      entries >= 2 && (says.results || (says.searching && (isAsked || paragraphs < 20)) || (isAsked && entries >= 3))
    );
  }

  /** @param {Counts} facts */
  function isForm({ fields, problems, letters, rows }) {
    return (
      (problems > 0 && rows < 4) ||
      (fields >= 2 && fields * 90 >= letters && rows < 4) ||
      (fields >= 1 && letters < 120 && rows === 0)
    );
  }

  /**
   * @param {Counts} facts
   * @param {Evidence} page
   */
  function isForum({ says }, { parts }) {
    const posts = parts.filter(
      (part) => part.out === '' && part.isBlock && part.letters >= 20 && POST_NAMED.test(hintOf(part)),
    );
    const articles = parts.filter((part) => part.out === '' && part.name === 'article' && part.letters > 20);
    if (says.replies && posts.length >= 3 && articles.length !== 1) return true;
    // Entries that lead elsewhere have headings with links; what people say to one another has none.
    const spoken = articles.filter((part) => POST_NAMED.test(hintOf(part)) && !holds(part, isHeadline));
    return spoken.length >= 2 && spoken.length >= articles.length * 0.6;
  }

  /** @param {Part} part */
  function isHeadline({ name, linked }) {
    return /^h[1-4]$/.test(name) && linked > 0;
  }

  /** @param {Counts} facts */
  function isTable({ rows, tabled, letters, paragraphs }) {
    return (rows >= 3 && tabled > letters * 0.4) || (rows >= 5 && paragraphs <= 4 && tabled > letters * 0.25);
  }

  /**
   * @param {Counts} facts
   * @param {Evidence} page
   */
  function isDocs({ code, headings }, { parts, title }) {
    const { pathname, hostname } = location;
    const isNamed =
      DOCS.test(`${title} ${shidiReader.dom.titleOf(document)}`) ||
      /\/docs?\/|\/api\/|\/guide\/|\/reference\//.test(pathname) ||
      /^docs?\./.test(hostname);
    const hints = parts.filter((part) => part.element !== null && part.isBlock).slice(0, 400);
    const isBuilt = hints.some((part) =>
      /(?:^|[^a-z])(?:docs?|theme-doc[\w-]*|vp-doc|sphinx\w*|documentwrapper|mkdocs|md-content)(?![a-z])/.test(
        hintOf(part),
      ),
    );
    const defines = parts.filter(
      (part) => part.out === '' && part.name === 'dt' && attribute(part, 'id') !== '',
    ).length;
    return (isNamed || isBuilt || defines > 1) && (code > 0 || headings >= 2);
  }

  /** @param {Counts} facts */
  function isApp({ paragraphs, sentences, blocks, widgets, headings, letters }) {
    const isBroken = sentences <= Math.max(1, blocks * 0.15);
    return paragraphs <= 1 && isBroken && (widgets >= 3 || headings >= 4) && letters < 4_000;
  }

  shidiReader.kind = { kindOf };
}
