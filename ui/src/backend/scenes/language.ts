/** The languages that scenes are told in; another one reads English ones. */
export type Language = 'zh' | 'en';

export function languageOfScene(language: string | null): Language {
  return language === 'zh' || language === null ? 'zh' : 'en';
}
