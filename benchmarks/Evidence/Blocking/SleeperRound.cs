using System.Globalization;

namespace Evidence.Blocking;

/// <summary>What one round of sleeping handlers took, in milliseconds.</summary>
/// <param name="AllAsleep">From the first call until each handler has a thread.</param>
/// <param name="First">The first call of a new client.</param>
/// <param name="Small">The slowest small call.</param>
/// <param name="Large">The slowest call with a large reply.</param>
/// <param name="Awaited">The slowest call whose handler awaits a large reply of another server.</param>
internal readonly record struct SleeperRound(double AllAsleep, double First, double Small, double Large, double Awaited)
{
    public double SlowestCall => Math.Max(Math.Max(First, Small), Math.Max(Large, Awaited));

    public string Describe() => string.Create(CultureInfo.InvariantCulture, $"{AllAsleep:F0} | {First:F1} | {Small:F1} | {Large:F1} | {Awaited:F1}");
}
