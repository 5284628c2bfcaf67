//! Help of `shidi mcp`.

pub const MCP: &str = "Examples:
  shidi mcp add clock -- uvx mcp-server-time
  shidi mcp add github --secret GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github
  shidi mcp add wiki --url https://mcp.example.com/mcp --secret Authorization
  shidi mcp tools clock
  shidi mcp allow clock get_current_time --class network-read
  shidi mcp allow github --all
  shidi mcp allow github create_issue --off
  shidi mcp test github

A server is a program that you trust with what you give it: it runs as you do, outside the sandbox. Its tools are offered
to programs when you have allowed them; each call asks you as sending does, unless you say with --class what the tool
does. A tool that describes itself differently later has to be allowed again.";

pub(super) const CHINESE: &[(&str, &str)] = &[
    ("mcp", "MCP 服务器：提供工具的其他程序"),
    ("mcp add", "添加服务器；它的工具还一个都不允许"),
    ("mcp add name", "程序里用的名字：小写字母、数字和下划线"),
    ("mcp add --url", "运行在别处的服务器的地址"),
    ("mcp add --env", "给它的环境变量，写成 名字=值（可重复）"),
    (
        "mcp add --secret",
        "保密的环境变量，或网址的请求头；会来问你，存进钥匙串（可重复）",
    ),
    ("mcp add --legacy", "只用旧版本的协议"),
    ("mcp add command", "作为服务器的程序和它的参数"),
    ("mcp list", "所有服务器"),
    ("mcp tools", "一个服务器的工具，以及允许了哪些"),
    ("mcp tools name", "服务器的名字"),
    ("mcp allow", "允许程序调用服务器的工具"),
    ("mcp allow name", "服务器的名字"),
    ("mcp allow tools", "服务器给工具起的名字"),
    ("mcp allow --all", "它现在提供的全部工具"),
    ("mcp allow --class", "它们做什么，权限据此判断；不写就当作发送"),
    ("mcp allow --off", "不再允许"),
    ("mcp test", "启动服务器，问它有哪些工具"),
    ("mcp test name", "服务器的名字"),
    ("mcp remove", "删除服务器和它的密钥"),
    ("mcp remove name", "服务器的名字"),
];
