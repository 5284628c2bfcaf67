/**
 * Knowledge bases: one that is whole but for a locked file, and one that is still empty; changes last as long as the
 * scene. Used by the scripted backend alone.
 */
import type { KnowledgeBase } from '../../bindings/KnowledgeBase';
import type { KnowledgeDocument } from '../../bindings/KnowledgeDocument';
import type { KnowledgePiece } from '../../bindings/KnowledgePiece';
import type { KnowledgeRequest } from '../../bindings/KnowledgeRequest';
import type { Language } from './language';
import { now, type Play } from './play';

const IMPORTED = '2026-11-18T08:30:00.000Z';
const BYTES = 48_213;

/** Bases as a scene changes them. */
export class Bases {
  private readonly bases: KnowledgeBase[];

  constructor(
    private readonly language: Language,
    scene: string,
  ) {
    this.bases =
      scene === 'nobases' ? [] : scene === 'team' ? [away(language), ...initial(language)] : initial(language);
  }

  answer(request: KnowledgeRequest): Play[] {
    switch (request.action) {
      case 'list':
        return this.listed();
      case 'create':
        this.bases.push({
          name: request.name,
          about: request.about,
          created: IMPORTED,
          documents: 0,
          pieces: 0,
          problems: 0,
        });
        return this.listed();
      case 'delete':
        this.delete(request.base, request.place);
        return this.listed();
      case 'show': {
        const base = this.bases.find((known) => known.name === request.base) ?? this.bases[0];
        return base ? now({ reply: 'documents', base, documents: documents(this.language, base) }) : this.listed();
      }
      case 'query':
        return now({ reply: 'pieces', pieces: pieces(this.language, request.text) });
      case 'add':
        return this.imported(request.base);
    }
  }

  private listed(): Play[] {
    return now({ reply: 'bases', bases: this.bases.map((base) => ({ ...base })) });
  }

  private delete(name: string, place: string | null): void {
    const at = this.bases.findIndex((base) => base.name === name);
    const base = this.bases[at];
    if (!base) return;
    if (place === null) this.bases.splice(at, 1);
    else base.documents -= 1;
  }

  private imported(name: string): Play[] {
    const base = this.bases.find((known) => known.name === name);
    if (base) {
      base.documents += 2;
      base.pieces += 31;
    }
    const what = this.language === 'zh' ? '正在导入' : 'Importing';
    const progress = (done: number, after_ms: number): Play => ({
      after_ms,
      reply: { reply: 'progress', done, total: 40, what },
    });
    const report = {
      read: 2,
      unchanged: 38,
      removed: 0,
      pieces: 31,
      duplicates: 4,
      deprecated: 2,
      problems: [],
      skipped: 1,
      failed: 0,
      cut: false,
    };
    return [progress(9, 60), progress(27, 160), { after_ms: 260, reply: { reply: 'imported', base: name, report } }];
  }
}

function initial(language: Language): KnowledgeBase[] {
  const zh = language === 'zh';
  return [
    {
      name: zh ? '公司制度' : 'handbook',
      about: zh ? '差旅、请假和采购的规定' : 'rules on travel, leave and purchases',
      created: IMPORTED,
      documents: 38,
      pieces: 412,
      problems: 1,
    },
    { name: zh ? '接口文档' : 'api', about: '', created: IMPORTED, documents: 0, pieces: 0, problems: 0 },
  ];
}

/** One that a team's server keeps, which does not answer. */
function away(language: Language): KnowledgeBase {
  const zh = language === 'zh';
  return {
    name: zh ? '团队手册' : 'team',
    about: '',
    created: IMPORTED,
    documents: 0,
    pieces: 0,
    problems: 0,
    at: 'https://qdrant.lanting.example:6333',
    trouble: zh
      ? '知识库的服务器 https://qdrant.lanting.example:6333 没有回音（连接被拒绝）'
      : 'The server of the knowledge base, https://qdrant.lanting.example:6333, does not answer (connection refused)',
    remedy: zh
      ? '检查地址和网络再试；已经导入的都还在，再导入一次会接着做'
      : 'Check its address and the network and try again: what was imported stays, and another import goes on from there',
  };
}

function documents(language: Language, base: KnowledgeBase): KnowledgeDocument[] {
  if (base.documents === 0) return [];
  const zh = language === 'zh';
  const document = (place: string, format: string, known: Partial<KnowledgeDocument>): KnowledgeDocument => ({
    id: place,
    base: base.name,
    place,
    format,
    bytes: BYTES,
    changed: IMPORTED,
    imported: IMPORTED,
    pieces: 0,
    duplicates: 0,
    deprecated: 0,
    partial: false,
    reason: null,
    detail: null,
    ...known,
  });
  const folder = zh ? '/home/lin/制度/' : '/home/lin/rules/';
  return [
    document(`${folder}${zh ? '差旅.md' : 'travel.md'}`, 'text', { pieces: 24, duplicates: 2, deprecated: 3 }),
    document(`${folder}${zh ? '采购合同.pdf' : 'contract.pdf'}`, 'pdf', { pieces: 61 }),
    document(`${folder}${zh ? '工资.xlsx' : 'payroll.xlsx'}`, '', { reason: 'locked' }),
    document('https://example.com/policy', 'html', { pieces: 12, partial: true }),
  ];
}

function pieces(language: Language, text: string): KnowledgePiece[] {
  if (text.includes('zzz')) return [];
  const zh = language === 'zh';
  const base = zh ? '公司制度' : 'handbook';
  return [
    {
      id: 'piece-1',
      base,
      document: zh ? '/home/lin/制度/差旅.md' : '/home/lin/rules/travel.md',
      source: zh ? '差旅.md line 12' : 'travel.md line 12',
      heading: zh ? '差旅制度 › 住宿' : 'Travel › Hotels',
      text: zh
        ? '一线城市每晚不超过 600 元，其他城市不超过 450 元；超出部分需部门负责人事先同意。'
        : 'A room may cost 600 yuan a night in large cities and 450 elsewhere; more needs the consent of the head of department beforehand.',
      fields: {},
      score: 0.92,
    },
    {
      id: 'piece-2',
      base,
      document: zh ? '/home/lin/制度/采购合同.pdf' : '/home/lin/rules/contract.pdf',
      source: zh ? '采购合同.pdf p. 3' : 'contract.pdf p. 3',
      heading: '',
      text: zh
        ? '协议酒店的房费按合同价结算，不计入个人限额。'
        : 'Rooms of contracted hotels are paid at the contract price and do not count against the personal limit.',
      fields: {},
      score: 0.61,
    },
  ];
}
