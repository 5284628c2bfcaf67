//! The one table of names in traces. Names that begin with `gen_ai.` and `error.` are OpenTelemetry's, as its GenAI
//! conventions had them in 2026. All of these are in development there and may change. Ours begin with `shidi.`.

pub const INVOKE_AGENT: &str = "invoke_agent";
pub const CHAT: &str = "chat";
pub const TEXT_COMPLETION: &str = "text_completion";
pub const EXECUTE_TOOL: &str = "execute_tool";
/// Of our own: an area of the mind, a local act within it, a program.
pub const AREA: &str = "area";
pub const ACT: &str = "act";
pub const RUN_PROGRAM: &str = "run_program";
pub const CONNECTION: &str = "connection";

pub const OPERATION_NAME: &str = "gen_ai.operation.name";
pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
pub const AGENT_NAME: &str = "gen_ai.agent.name";
pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
pub const REQUEST_MODEL: &str = "gen_ai.request.model";
pub const REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
pub const REQUEST_TEMPERATURE: &str = "gen_ai.request.temperature";
pub const REQUEST_TOP_P: &str = "gen_ai.request.top_p";
pub const REQUEST_SEED: &str = "gen_ai.request.seed";
pub const REQUEST_PRESENCE_PENALTY: &str = "gen_ai.request.presence_penalty";
pub const REQUEST_FREQUENCY_PENALTY: &str = "gen_ai.request.frequency_penalty";
pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub const RESPONSE_FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
/// In seconds.
pub const RESPONSE_TIME_TO_FIRST_CHUNK: &str = "gen_ai.response.time_to_first_chunk";
pub const USAGE_INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub const USAGE_OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub const USAGE_CACHE_READ_INPUT_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
/// Whether tokens and cost are our own estimate, of an answer that broke off.
pub const USAGE_ESTIMATED: &str = "shidi.usage.estimated";
pub const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
pub const TOOL_DEFINITIONS: &str = "gen_ai.tool.definitions";
pub const TOOL_NAME: &str = "gen_ai.tool.name";
pub const TOOL_TYPE: &str = "gen_ai.tool.type";
pub const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
pub const TOOL_CALL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub const TOOL_CALL_RESULT: &str = "gen_ai.tool.call.result";
pub const ERROR_TYPE: &str = "error.type";
pub const ERROR_MESSAGE: &str = "error.message";

/// Of a connection, as OpenTelemetry has them.
pub const SERVER_ADDRESS: &str = "server.address";
pub const SERVER_PORT: &str = "server.port";
pub const SENT_BYTES: &str = "shidi.sent_bytes";
pub const RECEIVED_BYTES: &str = "shidi.received_bytes";
/// How many connections a step adds up.
pub const TIMES: &str = "shidi.times";

/// US dollars.
pub const COST: &str = "shidi.cost_usd";
pub const MODEL_CALLS: &str = "shidi.model_calls";
pub const STATUS: &str = "shidi.status";
pub const REASON: &str = "shidi.reason";
/// Milliseconds from the question to the first word of an answer.
pub const FIRST_WORD_MS: &str = "shidi.first_word_ms";
/// Pairs of moments between which the run waited for a person.
pub const RESTS: &str = "shidi.rests";
pub const RESTING_SINCE: &str = "shidi.resting_since";
pub const STEPS_LEFT_OUT: &str = "shidi.steps_left_out";
pub const AREA_NAME: &str = "shidi.area";
pub const ROUND: &str = "shidi.round";
pub const ROUNDS_MAX: &str = "shidi.rounds_max";
pub const GOAL: &str = "shidi.goal";
pub const VERDICT: &str = "shidi.verdict";
pub const LACK: &str = "shidi.lack";
pub const SAID: &str = "shidi.said";
pub const CONTEXT: &str = "shidi.context";
/// Reviewed experiences in the prompt: each with its lesson and how it fared.
pub const EXPERIENCES: &str = "shidi.experiences";
/// What memory brought in by itself: each with where it is from and what its score is made of.
pub const RECALLED: &str = "shidi.recalled";
/// The kind of a card that was shown.
pub const CARD: &str = "shidi.card";
pub const TOKENS_BEFORE: &str = "shidi.tokens_before";
pub const TOKENS_AFTER: &str = "shidi.tokens_after";
pub const ROLE: &str = "shidi.role";
pub const WINDOW_TOKENS: &str = "shidi.window_tokens";
pub const PROMPT_PARTS: &str = "shidi.prompt_parts";
pub const LEFT_OUT_TOKENS: &str = "shidi.left_out_tokens";
pub const REASONING: &str = "shidi.reasoning";
pub const EXEC: &str = "shidi.exec";
pub const PROGRAM: &str = "shidi.program";
pub const STDOUT: &str = "shidi.stdout";
/// Milliseconds of the processor that a program took, and the most bytes that its interpreter held.
pub const CPU_MS: &str = "shidi.cpu_ms";
pub const MEMORY_BYTES: &str = "shidi.memory_bytes";
pub const REPLAYED: &str = "shidi.replayed";
pub const OK: &str = "shidi.ok";
/// Whether a call was refused: by the user, by a rule, or by what the task may do at all.
pub const REFUSED: &str = "shidi.refused";
pub const SUMMARY: &str = "shidi.summary";
pub const UNTRUSTED: &str = "shidi.untrusted";
pub const CLASS: &str = "shidi.class";
pub const LINE: &str = "shidi.line";
pub const ORIGIN: &str = "shidi.origin";
/// Milliseconds for which a call waited for a person.
pub const WAITED_MS: &str = "shidi.waited_ms";
pub const WAITING_SINCE: &str = "shidi.waiting_since";
/// Why the call was allowed, asked about or refused: the grounds of the record, in their order.
pub const GROUNDS: &str = "shidi.grounds";
/// What the user said with their decision.
pub const DECIDED_SAID: &str = "shidi.decided_said";
