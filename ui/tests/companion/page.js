/**
 * The tools of the query editor, written as any page writes them: against WebMCP and nothing else.
 *
 * Knows nothing of Shidi. Counts on the page itself how often something was really done, so that a test can see it.
 */
'use strict';

{
  /** @typedef {{name: string, description: string, inputSchema: object, annotations?: object, execute: (input: never, client?: {signal?: AbortSignal}) => unknown}} Tool */
  /** @typedef {{registerTool(tool: Tool, options?: {signal: AbortSignal}): Promise<void>}} ModelContext */

  const FIELDS = ['region', 'amount', 'year'];
  const ROWS = [
    { region: 'north', amount: 1200 },
    { region: 'south', amount: 800 },
  ];

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const editor = /** @type {HTMLTextAreaElement} */ (element('script'));

  /** @type {(decision: {status: string, reason?: string}) => void} */
  let decide = () => undefined;

  /** @param {string} id */
  function count(id) {
    element(id).textContent = String(Number(element(id).textContent) + 1);
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  function drawDiff(before, after) {
    const [old, fresh] = [before.split('\n'), after.split('\n')];
    const lines = [
      ...old.filter((line) => !fresh.includes(line)).map((line) => ({ sign: '-', kind: 'removed', line })),
      ...fresh.map((line) => (old.includes(line) ? { sign: ' ', kind: '', line } : { sign: '+', kind: 'added', line })),
    ];
    element('diff').replaceChildren(
      ...lines.map(({ sign, kind, line }) => {
        const row = document.createElement('div');
        row.className = kind;
        row.textContent = `${sign} ${line}`;
        return row;
      }),
    );
  }

  /**
   * @param {{script: string}} input
   * @param {{signal?: AbortSignal}} [client] Says when nobody waits for it any more, in browsers that can.
   */
  function editScript({ script }, client) {
    if (typeof script !== 'string') throw new TypeError('script is not a text');
    drawDiff(editor.value, script);
    element('change').hidden = false;
    element('accept').focus();
    count('changes');
    client?.signal?.addEventListener('abort', () => close({ status: 'rejected', reason: 'it is no longer wanted' }));
    decide({ status: 'rejected', reason: 'another change was suggested' });
    return new Promise((resolve) => {
      decide = (decision) => {
        if (decision.status === 'accepted') editor.value = script;
        resolve(decision);
      };
    });
  }

  /** @param {{status: string, reason?: string}} decision */
  function close(decision) {
    element('change').hidden = true;
    decide(decision);
  }

  function runScript() {
    count('runs');
    element('rows').textContent = JSON.stringify(ROWS, null, 2);
    return { rows: ROWS };
  }

  /** @type {Tool[]} */
  const tools = [
    {
      name: 'get_context',
      description: 'The script in the editor and the fields that it can use.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
      execute: () => ({ script: editor.value, fields: FIELDS }),
    },
    {
      name: 'edit_script',
      description: 'Suggests a new script. The person sees the difference and accepts or rejects it.',
      inputSchema: { type: 'object', properties: { script: { type: 'string' } }, required: ['script'] },
      execute: editScript,
    },
    {
      name: 'run_script',
      description: 'Runs the script and returns its rows.',
      inputSchema: { type: 'object', properties: {} },
      execute: runScript,
    },
  ];

  element('accept').addEventListener('click', () => close({ status: 'accepted' }));
  element('reject').addEventListener('click', () =>
    close({ status: 'rejected', reason: /** @type {HTMLInputElement} */ (element('reason')).value }),
  );

  const [context] = [document, navigator]
    .map((owner) => /** @type {{modelContext?: ModelContext}} */ (owner).modelContext)
    .filter(Boolean);
  for (const tool of tools) void context?.registerTool(tool);
}
