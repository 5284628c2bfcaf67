//! Why a key can't be kept or read, with a remedy, in both languages.

use super::{ENVIRONMENT, PASSPHRASE, file, keychain};

/// Why the keys could not be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("This system has no keychain service ({reason})")]
    Absent { reason: String },
    #[error("The keychain is locked or refuses to store ({reason})")]
    Locked { reason: String },
    #[error("The keychain did not answer within {} s", keychain::ANSWER_MS / 1000)]
    Slow,
    #[error("The keychain failed ({reason})")]
    Broken { reason: String },
    #[error("The keys are in an encrypted file that is locked ({path})")]
    FileLocked { path: String },
    #[error(
        "This system has no keychain service ({reason}); keys go into an encrypted file ({path}), which needs a passphrase"
    )]
    NeedsPassphrase { path: String, reason: String },
    #[error("The passphrase does not open the file of keys")]
    WrongPassphrase { path: String },
    #[error("The passphrase has fewer than {} characters", file::PASSPHRASE_CHARS_MIN)]
    ShortPassphrase,
    #[error("The file of keys can't be used: {reason} ({path})")]
    FileBroken { path: String, reason: String },
    #[error("The keychain of this system works, so no file of keys is needed")]
    Needless,
    #[error("{name:?} is no name of a provider")]
    BadName { name: String },
}

impl KeyError {
    /// The user's remedy.
    #[must_use]
    pub fn remedy(&self) -> String {
        let environment = format!("give the key for one run in {ENVIRONMENT}<PROVIDER>");
        match self {
            Self::Absent { .. } if cfg!(target_os = "linux") => {
                format!(
                    "install and start a secret service such as gnome-keyring or KWallet, or keep keys in an encrypted file with shidi key unlock, or {environment}"
                )
            }
            Self::Absent { .. } => {
                format!("keep keys in an encrypted file with shidi key unlock, or {environment}")
            }
            Self::Locked { .. } => format!("unlock the login keyring and try again, or {environment}"),
            Self::Slow => format!("look for a dialog that asks to unlock the keyring, or {environment}"),
            Self::Broken { .. } => format!("run shidi doctor, or {environment}"),
            Self::FileLocked { .. } => format!("give its passphrase: shidi key unlock, or {PASSPHRASE}"),
            Self::NeedsPassphrase { .. } => format!("choose one: shidi key unlock, or {PASSPHRASE}"),
            Self::WrongPassphrase { path } => {
                format!("try again; if it is lost, delete {path} and set the keys anew")
            }
            Self::ShortPassphrase => "choose a longer one: several words are best".to_owned(),
            Self::FileBroken { .. } => {
                "check its permissions and the disk; if it is damaged, delete it and set the keys anew"
                    .to_owned()
            }
            Self::Needless => "set keys as usual: shidi key set PROVIDER".to_owned(),
            Self::BadName { .. } => {
                "use letters, digits, '-' and '_', as in: shidi key set deepseek".to_owned()
            }
        }
    }

    /// The message and the remedy in Chinese.
    #[must_use]
    pub fn in_chinese(&self) -> (String, String) {
        let environment = format!("用环境变量 {ENVIRONMENT}<PROVIDER> 给这一次运行提供密钥");
        let service = "安装并启动 gnome-keyring 或 KWallet";
        match self {
            Self::Absent { reason } if cfg!(target_os = "linux") => (
                format!("这个系统没有密钥链服务（{reason}）"),
                format!("{service}，或者用 shidi key unlock 把密钥放进加密文件，或者{environment}"),
            ),
            Self::Absent { reason } => (
                format!("这个系统没有密钥链服务（{reason}）"),
                format!("用 shidi key unlock 把密钥放进加密文件，或者{environment}"),
            ),
            Self::Locked { reason } => (
                format!("密钥链锁着，或拒绝存储（{reason}）"),
                format!("解锁登录密钥环再试，或者{environment}"),
            ),
            Self::Slow => (
                format!("密钥链 {} 秒没有回应", keychain::ANSWER_MS / 1000),
                format!("看看有没有要求解锁密钥环的窗口，或者{environment}"),
            ),
            Self::Broken { reason } => (
                format!("密钥链出错（{reason}）"),
                format!("运行 shidi doctor，或者{environment}"),
            ),
            Self::FileLocked { path } => (
                format!("密钥在加密文件里，文件锁着（{path}）"),
                format!("给出口令：shidi key unlock，或用 {PASSPHRASE}"),
            ),
            Self::NeedsPassphrase { path, reason } => (
                format!("这个系统没有密钥链服务（{reason}）；密钥放进加密文件（{path}），它需要一个口令"),
                format!("选一个口令：shidi key unlock，或用 {PASSPHRASE}"),
            ),
            Self::WrongPassphrase { path } => (
                "口令打不开密钥文件".to_owned(),
                format!("再试一次；要是忘了，删掉 {path}，重新设置密钥"),
            ),
            Self::ShortPassphrase => (
                format!("口令不足 {} 个字符", file::PASSPHRASE_CHARS_MIN),
                "选一个长些的，几个词连起来最好".to_owned(),
            ),
            Self::FileBroken { path, reason } => (
                format!("密钥文件用不了：{reason}（{path}）"),
                "检查权限和磁盘；要是坏了，删掉它，重新设置密钥".to_owned(),
            ),
            Self::Needless => (
                "这个系统的密钥链可用，不需要密钥文件".to_owned(),
                "照常设置密钥：shidi key set PROVIDER".to_owned(),
            ),
            Self::BadName { name } => {
                let remedy = "用字母、数字、- 和 _，例如：shidi key set deepseek";
                (format!("{name:?} 不是服务商的名字"), remedy.to_owned())
            }
        }
    }
}
