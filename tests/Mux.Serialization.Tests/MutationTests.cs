using Mux.Serialization.Oracles.Mutations;
using Mux.TestSupport.Connections;

namespace Mux.Serialization.Tests;

/// <summary>Bytes that were a message of some shape before something was done to them. <c>benchmarks/Evidence -- mutations</c> runs as many as one likes.</summary>
public sealed class MutationTests
{
    private const int Inputs = 100_000;

    [Fact]
    public void A_mutated_message_is_read_or_refused_as_documented() => Seeds.ForEach(1, static seed =>
    {
        var summary = MutationRun.Run(Inputs, seed, Inputs, static _ => { });

        // A run that refused everything, or nothing, would show nothing.
        Assert.InRange(summary.ReadAlike, Inputs / 20, Inputs);
        Assert.InRange(summary.RefusedAlike, Inputs / 20, Inputs);
        Assert.All(summary.ByDifference, static entry => Assert.True(entry.Inputs > 0, $"no input had the difference {entry.Difference}"));
    });
}
