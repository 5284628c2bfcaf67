//! Chooses the model that answers: the one of the request's role, the main one, or a stand-in (F10.2).
//!
//! A stand-in is asked when the model before could not be reached, or broke off. Overload, slowness and a spent
//! quota are reasons, too. The stand-in's first word retracts the words shown before. A wrong key, a refused
//! request or a too long prompt of the first model is reported, not gone around. The user's limits are checked
//! once before a request. The ledger notes the tokens of every model that began to answer.

use crate::chat::Broken;
use crate::choice::ModelChoice;
use crate::failure::LimitReached;
use crate::failure::own_failure;
use crate::open::Models;
use crate::profiles::Profile;
use crate::sampling::RoleSampling;
use crate::{Deltas, Model};
use async_trait::async_trait;
use shidi_locales::Models as Sentences;
use shidi_protocol::{
    FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest, ModelRole, Part, Usage,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The model for each purpose.
#[derive(Debug, Clone, Default)]
pub struct Routing {
    pub main: ModelChoice,
    /// Own models of some roles.
    pub roles: Vec<(ModelRole, ModelChoice)>,
    /// Models asked in turn when the others fail.
    pub stand_ins: Vec<ModelChoice>,
    /// How freely all of them are to choose their words.
    pub sampling: RoleSampling,
}

/// The ledger of spent tokens and of the user's limits.
pub trait Ledger: Send + Sync {
    /// Whether another question may be asked today.
    ///
    /// # Errors
    /// The limit that is reached.
    fn may_ask(&self) -> Result<(), LimitReached>;

    /// Notes the tokens of an answer.
    fn note(&self, provider: &str, model: &str, role: ModelRole, usage: &Usage);
}

/// The models of one run.
pub struct Routed {
    models: Arc<Models>,
    main: Arc<dyn Model>,
    routing: Routing,
    ledger: Arc<dyn Ledger>,
    /// The models opened so far, by their place in the routing.
    opened: Mutex<BTreeMap<Place, Arc<dyn Model>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Role(usize),
    StandIn(usize),
}

impl Routed {
    /// Opens the main model; the others wait until they are needed.
    ///
    /// # Errors
    /// As [`Models::open`].
    pub async fn open(
        models: Arc<Models>,
        routing: Routing,
        ledger: Arc<dyn Ledger>,
    ) -> Result<Self, ModelFailure> {
        let main = models.open_sampled(&routing.main, routing.sampling).await?;
        Ok(Self {
            models,
            main,
            routing,
            ledger,
            opened: Mutex::new(BTreeMap::new()),
        })
    }

    /// The places to ask, in order; `None` is the main model.
    fn order(&self, request: &ModelRequest) -> Vec<Option<Place>> {
        let of_role = |wanted: ModelRole| {
            let place = self.routing.roles.iter().position(|(role, _)| *role == wanted)?;
            Some(Some(Place::Role(place)))
        };
        let sees = request
            .messages
            .iter()
            .flat_map(|message| &message.parts)
            .any(|part| matches!(part, Part::Image { .. }));
        let own = of_role(request.role);
        // A picture goes to the vision model unless the main model sees pictures itself.
        let eyes = of_role(ModelRole::Vision).filter(|_| sees && self.main.profile().vision != Some(true));
        let stand_ins = (0..self.routing.stand_ins.len()).map(|place| Some(Place::StandIn(place)));
        eyes.into_iter()
            .chain(own)
            .chain([None])
            .chain(stand_ins)
            .collect()
    }

    async fn at(&self, place: Option<Place>) -> Result<Arc<dyn Model>, ModelFailure> {
        let Some(place) = place else {
            return Ok(Arc::clone(&self.main));
        };
        let choice = match place {
            Place::Role(index) => &self.routing.roles[index].1,
            Place::StandIn(index) => &self.routing.stand_ins[index],
        };
        let mut opened = self.opened.lock().await;
        if let Some(model) = opened.get(&place) {
            return Ok(Arc::clone(model));
        }
        let model = self.models.open_sampled(choice, self.routing.sampling).await?;
        opened.insert(place, Arc::clone(&model));
        Ok(model)
    }

    async fn ask_in_turn(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        let mut first: Option<ModelFailure> = None;
        let mut broken = Broken::default();
        for place in self.order(request) {
            let answer = match self.at(place).await {
                Ok(model) => {
                    let mut watched = |delta: ModelDelta| broken.pass(delta, deltas);
                    watched(ModelDelta::Asked {
                        provider: model.provider().to_owned(),
                        model: model.name().to_owned(),
                    });
                    let answer = model.ask(request, &mut watched, cancel).await;
                    self.noted(model.as_ref(), request.role, answer)
                }
                Err(failure) => Err(failure),
            };
            let mut failure = match answer {
                Ok(mut reply) => {
                    broken.add_to(&mut reply.usage);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            if let Some(partial) = failure.partial.take() {
                broken.keep(*partial);
            }
            // After the first failure every stand-in is tried: one that is not set up must not hide the first
            // failure.
            let goes_on = first.is_some() || is_fallback_worthy(failure.kind);
            if failure.kind == FailureKind::Cancelled {
                return Err(broken.told_by(failure));
            }
            tracing::warn!(provider = %failure.provider, "no answer: {}", failure.detail);
            first.get_or_insert(failure);
            if !goes_on {
                break;
            }
        }
        let failure = first.unwrap_or_else(|| {
            own_failure(
                FailureKind::Unreachable,
                self.main.provider(),
                Sentences::no_model_is_set_up,
            )
        });
        Err(broken.told_by(failure))
    }

    /// Names the model that answered, and notes its tokens in the ledger.
    fn noted(
        &self,
        model: &dyn Model,
        role: ModelRole,
        mut answer: Result<ModelReply, ModelFailure>,
    ) -> Result<ModelReply, ModelFailure> {
        let (provider, asked, usage) = match &mut answer {
            Ok(reply) => (&mut reply.provider, &mut reply.asked, &reply.usage),
            Err(failure) => match &mut failure.partial {
                Some(partial) => (&mut partial.provider, &mut partial.asked, &partial.usage),
                None => return answer,
            },
        };
        model.provider().clone_into(provider);
        model.name().clone_into(asked);
        self.ledger.note(model.provider(), model.name(), role, usage);
        answer
    }
}

/// Whether another model may succeed where this one failed.
fn is_fallback_worthy(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Unreachable
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Timeout
        | FailureKind::Cut
        | FailureKind::Unserved
        | FailureKind::Quota => true,
        FailureKind::Key
        | FailureKind::NoKey
        | FailureKind::KeysLocked
        | FailureKind::Budget
        | FailureKind::ContextLength
        | FailureKind::NoSuchModel
        | FailureKind::Malformed
        | FailureKind::Refused
        | FailureKind::Cancelled => false,
    }
}

#[async_trait]
impl Model for Routed {
    fn name(&self) -> &str {
        self.main.name()
    }

    fn provider(&self) -> &str {
        self.main.provider()
    }

    fn profile(&self) -> Profile {
        let own = self.main.profile();
        let has_eyes = self
            .routing
            .roles
            .iter()
            .any(|(role, _)| *role == ModelRole::Vision);
        Profile {
            vision: if has_eyes { Some(true) } else { own.vision },
            ..own
        }
    }

    fn is_offline(&self) -> bool {
        self.main.is_offline()
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        if self.is_offline() {
            return self.main.ask(request, deltas, cancel).await;
        }
        if let Err(reached) = self.ledger.may_ask() {
            return Err(reached.failure(self.main.provider()));
        }
        self.ask_in_turn(request, deltas, cancel).await
    }
}
