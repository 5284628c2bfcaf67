/** A run whose calls bring pictures back: what tools of a server drew or saw. Used by the scripted backend alone. */
import type { RunEventKind } from '../../bindings/RunEventKind';
import type { Language } from './language';
import { Script, type Play } from './play';

const TOLD = {
  zh: {
    question: '订单页改版后，在手机和电脑上各是什么样',
    purpose: '两种宽度各截一张图',
    phone: '390 × 844',
    desk: '1280 × 720',
    answer: '电脑上没有问题；手机上“退款”按钮被挤到了第二行，其余正常。',
  },
  en: {
    question: 'How does the new order page look on a phone and on a computer?',
    purpose: 'one screenshot at each of two widths',
    phone: '390 × 844',
    desk: '1280 × 720',
    answer: 'The computer’s is fine. On the phone the refund button slips to a second line; the rest is right.',
  },
};

const KEPT = '/home/lin/.local/share/shidi/sessions/session-1/pictures';
/** The second one bears a long name, as servers give them. */
const PICTURES = [`${KEPT}/phone.png`, `${KEPT}/order-service-orders-2026-11-20T09-41-07-desktop-1280x720.png`];

export function pictured(language: Language, session: string): Play[] {
  const told = TOLD[language];
  const page = 'https://orders.lanting.dev/orders';
  const done = (call: number, summary: string, picture: string, files: string[] = []): RunEventKind => ({
    type: 'call_done',
    call,
    ok: true,
    summary,
    ms: 640,
    pictures: [picture],
    ...(files.length > 0 ? { files } : {}),
  });
  const call = 'await playwright.screenshot(url=page, width=';
  return new Script(session, 'run-1')
    .start(told.question)
    .program(`# ${told.purpose}\npage = "${page}"\n${call}390)\n${call}1280)\nprint("2 / 2")`, 60)
    .asksFor('playwright.screenshot', { url: page, width: 390 }, 3)
    .add(done(1, told.phone, PICTURES[0] ?? ''), 640)
    .asksFor('playwright.screenshot', { url: page, width: 1280 }, 4)
    .add(done(2, told.desk, PICTURES[1] ?? '', [`${KEPT}/trace.zip`]), 640)
    .prints('2 / 2', 1_300)
    .says(told.answer, 300)
    .ends('completed').plays;
}
