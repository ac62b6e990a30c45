using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Cluster;

/// <summary>
/// Every sample of a call's time that was begun ends, whatever becomes of the call: it is answered, refused, cancelled,
/// late, lost with its connection, handed back or moved before it was sent. One that does not end makes its server slow
/// for ever. A failure shows the fewest steps.
/// </summary>
[Collection(nameof(EndToEndTests))]
public sealed class TimedCallPropertyTests
{
    [Fact]
    public void Every_sample_that_was_begun_ends_whatever_becomes_of_its_call()
    {
        int seed = TestSeed.Next(), begun = 0;
        var step = Gen.Choose(0, 99).SelectMany(static _ => Gen.Choose(0, 999), static (kind, pick) => new Step(kind, pick));
        var steps = Arb.From(Gen.ArrayOf(step), Shorter);
        var config = Config.QuickThrowOnFailure.WithMaxTest(60 * Seeds.Effort).WithStartSize(20).WithEndSize(200).WithReplay((ulong)seed, 1);
        Prop.ForAll(steps, Run).Check(config);
        TestContext.Current.TestOutputHelper?.WriteLine($"{begun} samples were open after some step.");
        Assert.True(begun > 100, $"Only {begun} samples were open after some step: the runs show nothing.");

        void Run(Step[] run) => begun += TimedCluster.Run(seed, run.Select(static one => (one.Kind, one.Pick)));
    }

    private static IEnumerable<Step[]> Shorter(Step[] steps)
    {
        for (int cut = steps.Length / 2; cut > 0; cut /= 2)
        {
            for (int at = 0; at + cut <= steps.Length; at += cut) yield return [.. steps[..at], .. steps[(at + cut)..]];
        }
    }

    private readonly record struct Step(int Kind, int Pick)
    {
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{TimedCluster.NameOf(Kind)} {Pick}");
    }
}
