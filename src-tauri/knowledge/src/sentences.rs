//! What a server of a knowledge base that fails means to the user: one sentence and a remedy, in both languages.

use crate::server::Failure;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::Space;
use shidi_space::words::{Words, error};

/// The sentence for a failure of the server at an address.
pub fn of_server(space: &Space, at: &str, cause: &Failure) -> UserError {
    let (code, message, hint) = match space.words() {
        Words::Chinese => chinese(at, cause),
        Words::English => english(at, cause),
    };
    error(code, message, hint)
}

fn chinese(at: &str, cause: &Failure) -> (ErrorCode, String, &'static str) {
    let code = code(cause);
    let (message, hint) = match cause {
        Failure::Address(_) => (
            format!("“{at}”不是服务器的地址"),
            "例如：--at http://localhost:6333，用户名和密码不写在里面",
        ),
        Failure::OpenLine(host) => (
            format!("密钥不会不加密地发到 {host}"),
            "用 https:// 开头的地址，或不给密钥：shidi key delete qdrant",
        ),
        Failure::Away(why) => (
            format!("知识库的服务器 {at} 没有回音（{why}）"),
            "检查地址和网络再试；已经导入的都还在，再导入一次会接着做",
        ),
        Failure::Key => (
            format!("服务器 {at} 不收这个密钥"),
            "换一个：shidi key set qdrant",
        ),
        Failure::Missing => (
            format!("服务器 {at} 上没有这个知识库了"),
            "再建一次（shidi knowledge create 名字 --at 地址），然后再导入",
        ),
        Failure::Foreign => (
            format!("服务器 {at} 上已有同名的集合，不是知识库"),
            "给知识库换个名字",
        ),
        Failure::Refused { status, said } => (
            format!("服务器 {at} 拒绝了（{status} {said}）"),
            "看看服务器的日志和磁盘；已经导入的都还在",
        ),
        Failure::Malformed => (
            format!("{at} 的回答不像是 Qdrant"),
            "检查地址：要的是它的 REST 端口，一般是 6333",
        ),
    };
    (code, message, hint)
}

fn english(at: &str, cause: &Failure) -> (ErrorCode, String, &'static str) {
    let code = code(cause);
    let (message, hint) = match cause {
        Failure::Address(_) => (
            format!("'{at}' is no address of a server"),
            "For example: --at http://localhost:6333, without user name and password",
        ),
        Failure::OpenLine(host) => (
            format!("The key does not go to {host} unencrypted"),
            "Use an address with https://, or no key: shidi key delete qdrant",
        ),
        Failure::Away(why) => (
            format!("The server of the knowledge base, {at}, does not answer ({why})"),
            "Check its address and the network and try again: what was imported stays, and another import goes on from there",
        ),
        Failure::Key => (
            format!("The server {at} does not take the key"),
            "Set another one: shidi key set qdrant",
        ),
        Failure::Missing => (
            format!("The server {at} has this knowledge base no more"),
            "Create it again (shidi knowledge create NAME --at URL), then import again",
        ),
        Failure::Foreign => (
            format!("The server {at} has a collection of that name that is no knowledge base"),
            "Give the knowledge base another name",
        ),
        Failure::Refused { status, said } => (
            format!("The server {at} refused ({status} {said})"),
            "Look at the server's log and disk: what was imported stays",
        ),
        Failure::Malformed => (
            format!("What {at} answers is not Qdrant's"),
            "Check the address: its REST port is needed, mostly 6333",
        ),
    };
    (code, message, hint)
}

fn code(cause: &Failure) -> ErrorCode {
    match cause {
        Failure::Address(_) | Failure::OpenLine(_) | Failure::Key | Failure::Foreign => ErrorCode::Input,
        Failure::Missing => ErrorCode::NotFound,
        Failure::Away(_) | Failure::Refused { .. } | Failure::Malformed => ErrorCode::System,
    }
}
