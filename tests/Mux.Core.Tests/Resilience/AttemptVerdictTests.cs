using Mux.Calls;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Resilience;

public sealed class AttemptVerdictTests
{
    [Fact]
    public void The_verdict_is_the_strongest_of_the_attempts_in_any_order() => Seeds.ForEach(500, seed =>
    {
        var random = new Random(seed);
        var attempts = Enumerable.Range(0, random.Next(1, 6)).Select(_ => (MuxExecution)random.Next(3)).ToArray();
        var sut = default(AttemptVerdict);
        foreach (var attempt in attempts) sut.Add(attempt);
        var expected = attempts.Contains(MuxExecution.Executed) ? MuxExecution.Executed
            : attempts.Contains(MuxExecution.MayHaveExecuted) ? MuxExecution.MayHaveExecuted : MuxExecution.NotExecuted;

        Assert.Equal(expected, sut.Execution);
    });

    [Fact]
    public void Without_an_attempt_nothing_was_executed() => Assert.Equal(MuxExecution.NotExecuted, default(AttemptVerdict).Execution);
}
