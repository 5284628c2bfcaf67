/** Providers, models and what was spent, as the scenes have them: one provider with a key, one whose key is rejected, one local. */
import { isFirst } from './play';
import type { CatalogueEntry } from '../../bindings/CatalogueEntry';
import type { DownloadState } from '../../bindings/DownloadState';
import type { KeyKeeper } from '../../bindings/KeyKeeper';
import type { KeyStatus } from '../../bindings/KeyStatus';
import type { ModelEntry } from '../../bindings/ModelEntry';
import type { Provider } from '../../bindings/Provider';
import type { Reply } from '../../bindings/Reply';
import type { Language } from './language';

const key = (provider: string, kept: string, tail: string | null = null): KeyStatus => ({ provider, kept, tail });

/** What opens the encrypted file of the scenes in which there is one. */
const PASSPHRASE = 'correct horse';

/** The encrypted file of one scene: there, locked or open, or not needed. */
export class Keys {
  constructor(private state: KeyKeeper) {}

  get keeper(): KeyKeeper {
    return this.state;
  }

  unlock(passphrase: string, language: Language): Reply {
    if (this.state === 'locked_file' && passphrase !== PASSPHRASE) {
      const [message, hint] =
        language === 'zh'
          ? ['口令打不开密钥文件', '再试一次；要是忘了，删掉文件，重新设置密钥']
          : [
              'The passphrase does not open the file of keys',
              'try again; if it is lost, delete the file and set the keys anew',
            ];
      return { reply: 'failed', error: { code: 'keys_locked', message, hint } };
    }
    this.state = 'file';
    return { reply: 'done' };
  }
}

export function keysOf(scene: string): Keys {
  return new Keys(
    scene === 'nokeychain' ? 'nobody' : scene === 'locked' || scene === 'lockedrun' ? 'locked_file' : 'keychain',
  );
}

export function providers(scene: string, keeper: KeyKeeper): Reply {
  const kept = keeper === 'locked_file' ? 'unknown' : keeper === 'file' ? 'file' : 'keychain';
  const known: Provider[] = [
    {
      id: 'dashscope',
      name: 'DashScope (Qwen)',
      url: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
      local: false,
      needs_key: true,
      key:
        isFirst(scene) || keeper === 'nobody'
          ? key('dashscope', 'none')
          : key('dashscope', kept, kept === 'unknown' ? null : '3f9c'),
      key_page: 'https://bailian.console.aliyun.com/',
    },
    {
      id: 'deepseek',
      name: 'DeepSeek',
      url: 'https://api.deepseek.com/v1',
      local: false,
      needs_key: true,
      key: isFirst(scene) || keeper !== 'keychain' ? key('deepseek', 'none') : key('deepseek', 'keychain', '88d1'),
      key_page: 'https://platform.deepseek.com/api_keys',
    },
    {
      id: 'openai',
      name: 'OpenAI',
      url: 'https://api.openai.com/v1',
      local: false,
      needs_key: true,
      key: key('openai', 'none'),
    },
    {
      id: 'anthropic',
      name: 'Anthropic',
      url: 'https://api.anthropic.com',
      local: false,
      needs_key: true,
      key: key('anthropic', 'none'),
    },
    {
      id: 'ollama',
      name: 'Ollama',
      url: 'http://127.0.0.1:11434/v1',
      local: true,
      needs_key: false,
      key: key('ollama', 'none'),
    },
  ];
  return { reply: 'providers', keeper, providers: known };
}

export function models(provider: string, language: Language, scene = ''): Reply {
  // Without a name: whatever is at the configured address.
  if (provider === '') {
    if (scene === 'owngone')
      return {
        reply: 'failed',
        error: {
          code: 'model',
          message: language === 'zh' ? '连不上 build-03.lan:8080' : 'Can’t reach build-03.lan:8080',
          hint: null,
        },
      };
    const at = (id: string): ModelEntry => ({
      provider: 'custom',
      id,
      vision: false,
      tools: false,
      window: 32_768,
      format: 'fenced',
    });
    return { reply: 'models', models: [at('qwen3-30b'), at('glm-4.7-air')] };
  }
  if (provider === 'deepseek') {
    const message =
      language === 'zh'
        ? 'DeepSeek 不认这个密钥 (401 invalid_api_key)'
        : 'DeepSeek rejected the key (401 invalid_api_key)';
    return { reply: 'failed', error: { code: 'key', message, hint: null } };
  }
  const model = (id: string, vision: boolean, input: number, output: number): ModelEntry => ({
    provider,
    id,
    vision,
    tools: true,
    window: 131_072,
    format: 'fenced',
    input_price: input,
    output_price: output,
  });
  return {
    reply: 'models',
    models: [
      model('qwen3-coder', false, 0.3, 1.5),
      model('qwen3-max', false, 1.2, 6),
      model('qwen3-vl-plus', true, 0.2, 1.6),
      { provider, id: 'qwen-turbo', vision: false, tools: false, format: 'fenced' },
    ],
  };
}

export function servers(scene: string): Reply {
  const found = {
    provider: 'ollama',
    name: 'Ollama',
    url: 'http://127.0.0.1:11434/v1',
    models: ['qwen3:8b', 'gemma3:4b', 'qwen2.5vl:7b'],
  };
  return { reply: 'servers', servers: scene === 'noserver' ? [] : [found] };
}

/** The model file of the scenes, asleep; where no server was ever, neither file nor program. */
export function localModel(scene: string): Reply {
  if (scene === 'noserver') return { reply: 'local_model', model: { is_used: false, phase: 'asleep' } };
  return {
    reply: 'local_model',
    model: {
      is_used: true,
      phase: 'asleep',
      file: {
        name: 'qwen3-4b-q4_k_m',
        path: '/home/lin/models/qwen3-4b-q4_k_m.gguf',
        title: 'Qwen3 4B',
        architecture: 'qwen3',
        quantisation: 'Q4_K_M',
        bytes: 2_497_280_256,
        parameters: 4_022_468_096,
        trained_context: 40_960,
        has_template: true,
      },
      program: { path: '/usr/bin/llama-server', version: '11739' },
      context: 16_384,
      threads: 4,
      needs_bytes: 5_322_538_188,
    },
  };
}

const HERE = '/home/lin/models';

/** What can be downloaded in the scenes: one comes, one is there, one is too large, and the server is missing. */
export function modelCatalogue(): Reply {
  const entry = (
    id: string,
    title: string,
    maker: string,
    bytes: number,
    state: DownloadState,
    frees_bytes?: number,
  ): CatalogueEntry => ({
    id,
    title,
    file: `${id}.gguf`,
    maker,
    licence: 'Apache-2.0',
    page: `https://models.example/${id}`,
    bytes,
    sha256: '0'.repeat(64),
    needs_bytes: bytes + bytes / 8 + 419_430_400,
    fits: bytes < 5_000_000_000,
    is_best: id === 'gemma-4-e4b',
    frees_bytes,
    state,
  });
  const engine = entry('llama.cpp-b11194', 'llama.cpp b11194', 'ggml-org', 17_014_362, { is: 'absent' });
  return {
    reply: 'local_model_catalogue',
    catalogue: {
      models: [
        entry(
          'qwen3.5-2b',
          'Qwen3.5 2B',
          'Alibaba',
          1_280_835_840,
          { is: 'here', path: `${HERE}/qwen3.5-2b.gguf` },
          1_280_835_840,
        ),
        entry('qwen3.5-4b', 'Qwen3.5 4B', 'Alibaba', 2_740_937_888, { is: 'coming', done: 1_123_784_534 }),
        entry('gemma-4-e4b', 'Gemma 4 E4B', 'Google', 4_215_695_776, { is: 'partly', done: 900_000_000 }),
        entry('qwen3.5-9b', 'Qwen3.5 9B', 'Alibaba', 5_680_522_464, { is: 'absent' }),
      ],
      engine: { ...engine, licence: 'MIT', needs_bytes: undefined, fits: true },
      folder: HERE,
      memory_bytes: 6_100_000_000,
    },
  };
}

/** What was there is removed; what it frees is told. */
export function modelRemoved(): Reply {
  const reply = modelCatalogue();
  if (reply.reply !== 'local_model_catalogue') return reply;
  const models = reply.catalogue.models.map(({ frees_bytes, ...entry }) =>
    frees_bytes === undefined ? entry : { ...entry, state: { is: 'absent' as const } },
  );
  return { reply: 'local_model_removed', freed_bytes: 1_280_835_840, catalogue: { ...reply.catalogue, models } };
}

export function tested(model: string): Reply {
  return { reply: 'tested', ok: true, ms: 640, detail: `${model}: OK`, error: null };
}

export function spending(): Reply {
  const usage = { input: 48_210, cached: 31_000, output: 5_120, cost: 0.021, model_calls: 14 };
  return {
    reply: 'spending',
    days: [{ day: '2026-11-20', spent: [{ provider: 'dashscope', model: 'qwen3-coder', role: 'coder', usage }] }],
  };
}
