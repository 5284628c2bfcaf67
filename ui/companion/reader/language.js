/**
 * The language of a text, by its script and by its smallest words. What a page claims of itself is asked last.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  /** Letters of a text that are looked at. */
  const LOOKED_AT = 6_000;
  const LETTERS_LEAST = 12;

  /** Words that nearly every sentence of a language has, and hardly any of another. */
  const SMALL = new Map(
    Object.entries({
      en: 'the and of to is in that for it with was you are this not have from by be on as at or an if can your will',
      de: 'der die und das ist nicht mit ein eine den auf für im von zu dem sich auch des wie wir bei aus oder nach wird sie ich in an es war um hat sind als noch nur',
      fr: 'le la les des et est une un dans pour que qui sur pas au aux avec du par ce il elle nous vous sont plus cette ou à été de en ne se son sa ses comme mais leur on y d l',
      es: 'el la los las de del que y en un una por con para es no se al su más como lo este pero sus esta son está hay fue si o cuando muy ya',
      pt: 'que não uma um com para os as dos das em da do de no na nos nas por mais ao se como foi são à também pelo pela você seu sua ou até a o e é antes',
      it: 'che di non un una per è con del della sono nel nella gli le la il al più anche alla dei si ha questo e da come delle lo in i ma o su dal',
      nl: 'de het een van en is dat niet op te zijn met voor er aan ook als maar bij om uit naar dan wordt deze kan',
      pl: 'się nie na jest do że to jak po co dla są przez od oraz przy tym ale czy lub ich być może już',
      sv: 'och att det som en på är av för med den till inte om ett har de från kan men vi ska eller du så',
      da: 'og det at er en til på af som med den for ikke der har et de fra kan men vi om også skal du',
      nb: 'og det er å på som en til av for med ikke den har at vi fra kan om et de men også skal du',
      fi: 'ja on ei se että oli ovat kun niin mutta tai myös hän joka mitä kuin voi sen ole siitä',
      cs: 'je se na že to jako ale by do pro není jsou také které při od nebo byl kde jeho své podle',
      tr: 'bir ve bu için ile da de olarak daha çok olan gibi kadar sonra ama değil mi her en ne var',
      vi: 'và của là các có không được cho trong một người với đã này những để khi từ đến cũng',
      id: 'yang dan di untuk dengan ini itu dari pada tidak adalah akan dalam ke juga atau oleh saya kami bisa',
      ro: 'și de la în cu pe nu este care din pentru mai sunt un o ce să al au fi prin după',
      hu: 'az és hogy nem egy meg van ez csak már még volt ha mint azt kell vagy minden el ki fel olyan után',
    }).map(([language, words]) => [language, new Set(words.split(' '))]),
  );

  /** @type {[RegExp, string][]} */
  const SCRIPTS = [
    [/[\u3040-\u30ff]/g, 'ja'],
    [/[\uac00-\ud7af]/g, 'ko'],
    [/[\u4e00-\u9fff\u3400-\u4dbf]/g, 'zh'],
    [/[\u0600-\u06ff]/g, 'ar'],
    [/[\u0590-\u05ff]/g, 'he'],
    [/[\u0e00-\u0e7f]/g, 'th'],
    [/[\u0900-\u097f]/g, 'hi'],
    [/[\u0370-\u03ff]/g, 'el'],
    [/[\u0400-\u04ff]/g, 'ru'],
    [/[a-z\u00c0-\u024f]/gi, 'latin'],
  ];

  /**
   * @param {string} text
   * @param {string} claimed By the page.
   * @returns {string} Two letters.
   */
  function languageOf(text, claimed) {
    const looked = text.slice(0, LOOKED_AT);
    const counts = new Map(SCRIPTS.map(([script, name]) => [name, (looked.match(script) ?? []).length]));
    const count = (/** @type {string} */ name) => counts.get(name) ?? 0;
    const all = [...counts.values()].reduce((sum, number) => sum + number, 0);
    const claim = /^[a-z]{2}(?=$|-)/.exec(claimed.trim().toLowerCase())?.[0] ?? '';
    if (all < LETTERS_LEAST) return shortly(count, claim);
    const wide = count('ja') + count('zh');
    if (count('ko') > wide && count('ko') * 3 >= all * 0.3) return 'ko';
    // One sign of Chinese or Japanese says as much as three Latin letters.
    if (wide * 3 >= (all - wide) * 0.5) return count('ja') >= wide * 0.12 ? 'ja' : 'zh';
    for (const name of ['ko', 'ar', 'he', 'th', 'hi', 'el', 'ru'])
      if (count(name) >= all * 0.3)
        return name === 'ru' ? cyrillic(looked) : name === 'ar' ? arabic(looked, claim) : name;
    return latin(looked, claim) || (claim !== 'zh' && claim !== 'ja' && claim !== 'ko' && claim !== '' ? claim : 'en');
  }

  /**
   * @param {(name: string) => number} count
   * @param {string} claim
   */
  function shortly(count, claim) {
    if (count('ja') > 0) return 'ja';
    if (count('ko') > 0) return 'ko';
    if (count('zh') > 0) return claim === 'ja' ? 'ja' : 'zh';
    return claim || 'en';
  }

  /** @param {string} text */
  function cyrillic(text) {
    if (/[іїєґ]/i.test(text)) return 'uk';
    return /ъ(?:т|р|л|щ)|[ъ]\s/i.test(text) && !/[ыэё]/i.test(text) ? 'bg' : 'ru';
  }

  /**
   * @param {string} text
   * @param {string} claim
   */
  function arabic(text, claim) {
    if (/[ٹڈڑےں]/.test(text)) return 'ur';
    return /[پچژگ]/.test(text) ? (claim === 'ar' ? 'ar' : 'fa') : 'ar';
  }

  /**
   * @param {string} text
   * @param {string} claim
   */
  function latin(text, claim) {
    const words = text.toLowerCase().match(/[\p{L}]+/gu) ?? [];
    let best = '';
    let most = 0;
    for (const [language, small] of SMALL) {
      const found = words.filter((word) => small.has(word));
      const hits = new Set(found).size < 2 ? 0 : found.length * (language === claim ? 1.2 : 1);
      if (hits > most) [best, most] = [language, hits];
    }
    return most >= Math.max(2, words.length * 0.04) ? best : '';
  }

  shidiReader.language = { languageOf };
}
