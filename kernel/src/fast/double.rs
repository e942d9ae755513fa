//! Numbers in twice the precision, for tests of bounds.

/// An unevaluated sum of two numbers. What is added is off by a few `2^-104` of the sum.
#[derive(Clone, Copy, Default)]
pub(crate) struct Double {
    pub(crate) high: f64,
    low: f64,
}

impl Double {
    pub(crate) fn plus(self, number: f64) -> Self {
        let sum = self.high + number;
        let part = sum - self.high;
        let lost = (self.high - (sum - part)) + (number - part);
        let low = self.low + lost;
        let high = sum + low;
        Self { high, low: low - (high - sum) }
    }

    /// With `a b`, whose rounding is added as well.
    pub(crate) fn plus_product(self, a: f64, b: f64) -> Self {
        let product = a * b;
        self.plus(product).plus(a.mul_add(b, -product))
    }

    pub(crate) fn plus_double(self, other: Self) -> Self {
        self.plus(other.high).plus(other.low)
    }

    pub(crate) fn magnitude(self) -> Self {
        if self.high < 0.0 { Self { high: -self.high, low: -self.low } } else { self }
    }

    /// The difference from a number.
    pub(crate) fn minus(self, number: f64) -> f64 {
        (self.high - number) + self.low
    }
}
