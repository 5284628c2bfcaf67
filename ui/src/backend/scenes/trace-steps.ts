/** Writes the steps of a run, as a scene tells them: each below its parent, at its time. Used by the scripted backend alone. */
import type { Span } from '../../bindings/Span';

export const STARTED = '2026-11-20T09:41:07.000Z';

export type Attributes = Record<string, unknown>;

export class Steps {
  readonly spans: Span[] = [];

  add(
    parent: number | null,
    operation: string,
    name: string,
    from: number,
    ms: number,
    attributes: Attributes = {},
    open = false,
  ): number {
    const id = this.spans.length + 1;
    const started = new Date(Date.parse(STARTED) + from).toISOString();
    this.spans.push({ id, parent, operation, name, started, ms, attributes, ...(open ? { open } : {}) });
    return id;
  }

  area(name: string, from: number, ms: number, attributes: Attributes = {}, open = false): number {
    return this.add(1, 'area', name, from, ms, { 'shidi.area': name, ...attributes }, open);
  }

  chat(
    parent: number,
    from: number,
    ms: number,
    input: number,
    output: number,
    cost: number,
    first: number,
    more: Attributes = {},
  ): number {
    return this.add(parent, 'chat', 'qwen3-coder', from, ms, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'dashscope',
      'gen_ai.request.model': 'qwen3-coder',
      'shidi.role': 'coder',
      'shidi.window_tokens': 128_000,
      'gen_ai.response.time_to_first_chunk': first,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
      'gen_ai.usage.cache_read.input_tokens': 3000,
      'shidi.cost_usd': cost,
      ...more,
    });
  }

  tool(parent: number, name: string, from: number, ms: number, summary: string, more: Attributes = {}): number {
    const grounds = [{ by: 'table', class: 'read', mode: 'risky', tainted: false, verdict: 'allow' }];
    return this.add(parent, 'execute_tool', name, from, ms, {
      'gen_ai.tool.name': name,
      'shidi.summary': summary,
      'shidi.class': 'read',
      'shidi.grounds': grounds,
      ...more,
    });
  }
}
