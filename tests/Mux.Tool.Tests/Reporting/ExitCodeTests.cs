using Mux.Tool.Load;
using Mux.Tool.Reporting;

namespace Mux.Tool.Tests.Reporting;

public sealed class ExitCodeTests
{
    private static readonly MuxException s_loss = new(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "mux://127.0.0.1:1", "The connection was lost.");
    private static readonly Dictionary<MuxStatus, long> s_failures = new() { [MuxStatus.Unavailable] = 200 };

    [Fact]
    public void A_run_without_errors_succeeds()
    {
        var outcome = Outcomes.Make(1_000);

        Assert.Equal(ExitCode.Success, outcome.ExitCode);
        Assert.Empty(Problems.Lines(outcome));
    }

    [Fact]
    public void A_wrong_a_lost_and_a_doubled_reply_and_a_failed_call_are_faults()
    {
        var outcome = Outcomes.Make(1_000);
        BenchOutcome[] faulty =
        [
            outcome with { WrongReplies = 1 },
            outcome with { LostReplies = 1 },
            outcome with { ProtocolErrors = 1, Loss = s_loss, Failures = s_failures },
            outcome with { Failures = new Dictionary<MuxStatus, long> { [MuxStatus.Unknown] = 1 } },
            outcome with { WrongReplies = 1, IsInterrupted = true },
        ];

        Assert.All(faulty, run => Assert.Equal(ExitCode.Faulty, run.ExitCode));
        Assert.All(faulty, run => Assert.NotEmpty(Problems.Lines(run)));
    }

    [Fact]
    public void A_lost_connection_and_the_calls_that_failed_with_it_are_a_loss() =>
        Assert.Equal(ExitCode.ConnectionLost, (Outcomes.Make(1_000) with { Loss = s_loss, Failures = s_failures }).ExitCode);

    [Fact]
    public void A_run_that_the_user_ended_says_so() => Assert.Equal(ExitCode.Interrupted, (Outcomes.Make(1_000) with { IsInterrupted = true }).ExitCode);

    [Fact]
    public void A_generator_that_did_not_keep_its_schedule_makes_the_run_invalid()
    {
        var outcome = Outcomes.MakeOpen();
        var invalid = outcome with { Schedule = outcome.Schedule! with { InvalidBecause = ["late"] } };

        Assert.Equal(ExitCode.Success, outcome.ExitCode);
        Assert.Equal(ExitCode.Invalid, invalid.ExitCode);
        Assert.Equal(ExitCode.Faulty, (invalid with { WrongReplies = 1 }).ExitCode);
    }

    [Fact]
    public void Of_several_runs_the_worst_decides()
    {
        var right = Outcomes.Make(1_000);

        Assert.Equal(ExitCode.Success, new BenchRuns([right, right]).ExitCode);
        Assert.Equal(ExitCode.Faulty, new BenchRuns([right with { IsInterrupted = true }, right with { LostReplies = 1 }, right]).ExitCode);
        Assert.Equal(ExitCode.Interrupted, new BenchRuns([right, right with { IsInterrupted = true }]).ExitCode);
    }
}
