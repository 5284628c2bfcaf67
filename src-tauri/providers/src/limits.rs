//! Bounds of lists about providers, with unit and reason.

/// Days of one listing of what was spent.
pub const SPENDING_DAYS_MAX: u32 = 366;
