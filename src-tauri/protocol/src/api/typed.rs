//! A request names its reply: the traits. The macros that write requests and replies once are in
//! `macros.rs`.

use super::{Reply, Request};

/// A request that ends with one reply of a known type.
pub trait TypedRequest: Into<Request> {
    /// The reply that ends the request; what goes before it is said by [`Reply::is_on_the_way`].
    type Reply: TypedReply;
}

/// A reply with a type of its own.
pub trait TypedReply: Into<Reply> {
    /// The reply as this type; any other reply comes back.
    ///
    /// # Errors
    /// The reply, when it is of another type.
    fn of(reply: Reply) -> Result<Self, Box<Reply>>;
}

/// The reply to a request, as it crosses the wire; one of another type does not compile.
#[must_use]
pub fn reply_to<R: TypedRequest>(reply: R::Reply) -> Reply {
    reply.into()
}
