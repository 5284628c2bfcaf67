/** The text of a workflow, and what a run would be as one. Used by the scripted backend alone. */
import type { Reply } from '../../bindings/Reply';
import type { WorkflowParameter } from '../../bindings/WorkflowParameter';

export const TEXT = `version: '1.0'
name: 'Customer marketing'
inputs:
  - {name: user_tag, type: str}
  - {name: marketing_need, type: str}
steps:
  - id: find
    type: tool
    tool: crm.customers
    inputs: {tag: '{user_tag}'}
    output: {name: customer, type: dict}
  - id: write
    type: llm
    prompt: 'Tell {customer.preferences} of {marketing_need}'
    output: {name: article, type: str}
  - id: ask_first
    type: approval
    message: 'Send this to {customer.mobile}?'
    inputs: {text: '{article}'}
  - id: send
    type: tool
    tool: sms.send
    inputs: {mobile: '{customer.mobile}', body: '{article}'}
    output: {name: sent, type: str}
  - id: answer
    type: output
    inputs: {sent: '{sent}'}
`;

export const draftOf = (text: string, name = 'count-files'): Reply => ({
  reply: 'workflow_draft',
  name,
  text,
  evaluation: `description: Count files\nworkflow: ${name}\n`,
  programs: ["folder = '/home/lin/notes'\nfiles = (await files.list(folder)).data\nprint(len(files))"],
});

/** The values that a text wants, as it writes them above. */
export const inputsOf = (text: string): WorkflowParameter[] =>
  [...text.matchAll(/^ {2}- \{name: (\w+), type: (\w+)\}$/gm)].map(([, name = '', kind = '']) => ({
    name,
    kind,
    description: '',
    required: true,
    default: null,
    example: null,
  }));
