//! Numbers in twice the precision, for tests of bounds.

/// An unevaluated sum of two numbers. What is added is off by a few `2^-104` of the sum.
#[derive(Clone, Copy, Default)]
pub(crate) struct Double {
    pub(crate) high: f64,
    low: f64,
}

impl Double {
    /// `2 π`.
    pub(crate) const TAU: Self = Self { high: std::f64::consts::TAU, low: 2.449_293_598_294_706_4e-16 };

    pub(crate) fn of(number: f64) -> Self {
        Self { high: number, low: 0.0 }
    }

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

    /// Off by a few `2^-104` of the product.
    pub(crate) fn times(self, other: Self) -> Self {
        let product = self.high * other.high;
        let lost = self.high.mul_add(other.high, -product) + (self.high * other.low + self.low * other.high);
        Self::of(product).plus(lost)
    }

    /// Off by a few `2^-104` of the quotient.
    pub(crate) fn over(self, divisor: f64) -> Self {
        let quotient = self.high / divisor;
        let rest = (-quotient).mul_add(divisor, self.high) + self.low;
        Self::of(quotient).plus(rest / divisor)
    }

    pub(crate) fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    pub(crate) fn magnitude(self) -> Self {
        if self.high < 0.0 { self.negated() } else { self }
    }

    /// The difference from a number.
    pub(crate) fn minus(self, number: f64) -> f64 {
        (self.high - number) + self.low
    }
}
