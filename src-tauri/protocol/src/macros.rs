//! Writes requests and replies once.
//!
//! One entry makes four things. The first two are the variant that crosses the wire and a struct of its own for
//! callers. The others are the conversion between both, and the line of the windows' map from requests to replies.

/// The name of a request and of the reply that ends it, as types are called.
#[cfg(test)]
pub type Pair = (&'static str, &'static str);

/// Writes an enum of requests, with a struct for each in a module beside it.
///
/// `through` says how an action becomes a [`Request`]; what stands in `{ … }` at the end is only in the enum.
macro_rules! requests {
    (
        $(#[$about:meta])*
        $Requests:ident as $module:ident, through $through:expr;
        $(
            $(#[$note:meta])*
            $Name:ident $({ $( $(#[$of:meta])* $field:ident: $kind:ty ),* $(,)? })? -> $Answer:ident
        ),* $(,)?
        $(; { $($only:tt)* })?
    ) => {
        $(#[$about])*
        pub enum $Requests {
            $(
                $(#[$note])*
                $Name $({ $( $(#[$of])* $field: $kind ),* })?,
            )*
            $($($only)*)?
        }

        #[doc = concat!("The requests of [`super::", stringify!($Requests), "`], each with the type of its reply.")]
        pub mod $module {
            use super::*;

            $(
                $crate::macros::requests! { @struct $Requests, $Name $({ $($field: $kind),* })? }

                impl From<$Name> for $crate::Request {
                    fn from(request: $Name) -> Self {
                        let $Name $({ $($field),* })? = request;
                        let through: fn($Requests) -> Self = $through;
                        through($Requests::$Name $({ $($field),* })?)
                    }
                }

                impl $crate::TypedRequest for $Name {
                    type Reply = $crate::reply::$Answer;
                }
            )*

            /// Each request with its reply.
            #[cfg(test)]
            pub(crate) const PAIRS: &[$crate::macros::Pair] = &[$((stringify!($Name), stringify!($Answer))),*];
        }
    };
    (@struct $Requests:ident, $Name:ident) => {
        #[doc = concat!("See [`", stringify!($Requests), "::", stringify!($Name), "`].")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $Name;
    };
    (@struct $Requests:ident, $Name:ident { $($field:ident: $kind:ty),* }) => {
        #[doc = concat!("See [`", stringify!($Requests), "::", stringify!($Name), "`].")]
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Name {
            $(pub $field: $kind,)*
        }
    };
}

/// Writes the enum of replies, with a struct for each in a module beside it.
macro_rules! replies {
    (
        $(#[$about:meta])*
        $Replies:ident as $module:ident;
        $(
            $(#[$note:meta])*
            $Name:ident $({ $( $(#[$of:meta])* $field:ident: $kind:ty ),* $(,)? })?
        ),* $(,)?
    ) => {
        $(#[$about])*
        pub enum $Replies {
            $(
                $(#[$note])*
                $Name $({ $( $(#[$of])* $field: $kind ),* })?,
            )*
        }

        #[doc = concat!("Each [`super::", stringify!($Replies), "`] as a type of its own.")]
        pub mod $module {
            use super::*;

            $(
                $crate::macros::requests! { @struct $Replies, $Name $({ $($field: $kind),* })? }

                impl From<$Name> for $Replies {
                    fn from(reply: $Name) -> Self {
                        let $Name $({ $($field),* })? = reply;
                        Self::$Name $({ $($field),* })?
                    }
                }

                impl $crate::TypedReply for $Name {
                    fn of(reply: $Replies) -> Result<Self, Box<$Replies>> {
                        match reply {
                            $Replies::$Name $({ $($field),* })? => Ok($Name $({ $($field),* })?),
                            other => Err(Box::new(other)),
                        }
                    }
                }
            )*
        }
    };
}

pub(crate) use {replies, requests};
