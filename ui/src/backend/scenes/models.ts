/** Providers, models and what was spent, as the scenes have them: one hosted provider with a key, one without, one local. */
import type { ModelEntry } from '../../bindings/ModelEntry';
import type { Provider } from '../../bindings/Provider';
import type { Reply } from '../../bindings/Reply';

function provider(id: string, name: string, url: string, tail: string | null): Provider {
  return { id, name, url, local: false, needs_key: true, key: { provider: id, kept: tail ? 'keychain' : 'none', tail }, key_page: `https://keys.example/${id}` };
}

const PROVIDERS: Provider[] = [
  { ...provider('dashscope', 'DashScope (Qwen)', 'https://dashscope.aliyuncs.com/compatible-mode/v1', '3f9c'), default_model: 'qwen-plus' },
  { ...provider('deepseek', 'DeepSeek', 'https://api.deepseek.com', null), default_model: 'deepseek-flash' },
  { ...provider('anthropic', 'Anthropic', 'https://api.anthropic.com', null), default_model: 'claude-sonnet-5-5' },
  { id: 'ollama', name: 'Ollama', url: 'http://127.0.0.1:11434/v1', local: true, needs_key: false, key: { provider: 'ollama', kept: 'none', tail: null } },
];

export function providers(): Reply {
  return { reply: 'providers', keeper: 'keychain', providers: PROVIDERS };
}

export function models(of: string): Reply {
  const entry = (id: string, vision: boolean): ModelEntry => ({ provider: of, id, vision, tools: true, window: 131_072, format: 'fenced' });
  const models = of === 'ollama' ? [entry('qwen3:8b', false)] : [{ ...entry('qwen3-coder', false), input_price: 0.29, output_price: 1.72 }, entry('qwen3-vl-plus', true)];
  return { reply: 'models', models };
}

export function tested(model: string | null): Reply {
  return { reply: 'tested', ok: true, ms: 412, detail: `${model ?? 'qwen3-coder'}: ok`, error: null };
}

export function servers(): Reply {
  return { reply: 'servers', servers: [{ provider: 'ollama', name: 'Ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] }] };
}

export function spending(): Reply {
  const usage = { input: 48_210, cached: 31_000, output: 5_120, cost: 0.021, model_calls: 14 };
  return { reply: 'spending', days: [{ day: '2026-11-20', spent: [{ provider: 'dashscope', model: 'qwen3-coder', role: 'coder', usage }] }] };
}
