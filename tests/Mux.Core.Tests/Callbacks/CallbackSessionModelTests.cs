using Mux.Callbacks;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Callbacks;

/// <summary>Random callbacks, answers, cancels and ends of a call against a model: what is sent, what becomes of each callback, and how many may be open.</summary>
public sealed class CallbackSessionModelTests
{
    private const int Calls = 40, MaxSteps = 500;

    /// <summary>How a call ends.</summary>
    public enum Ending
    {
        HandlerReturns,
        CallIsCancelled,
        CallerEndsAnswers,
        AnsweredTwice,
        AnsweredBeforeItWasSent,
        AnsweredWithUnknownId,
    }

    [Theory]
    [InlineData(Ending.HandlerReturns, MuxStatus.FailedPrecondition)]
    [InlineData(Ending.CallIsCancelled, null)]
    [InlineData(Ending.CallerEndsAnswers, MuxStatus.Unavailable)]
    [InlineData(Ending.AnsweredTwice, null)]
    [InlineData(Ending.AnsweredBeforeItWasSent, null)]
    [InlineData(Ending.AnsweredWithUnknownId, null)]
    public async Task Callbacks_are_sent_in_order_and_answered_once_and_none_is_left(Ending ending, MuxStatus? late)
    {
        int seed = TestSeed.Next();
        for (int call = 0; call < Calls * Seeds.Effort; call++) await RunCallAsync(ending, late, new Random(seed + call));
    }

    private static async Task RunCallAsync(Ending ending, MuxStatus? late, Random random)
    {
        using var cancellation = new CancellationTokenSource();
        using var sut = new CallbackSession(new CallbackFailures("test", "nowhere"), cancellation.Token);
        var answers = new AnswerSource();
        var reading = sut.ReadAsync(answers);
        var model = new CallbackSessionModel(sut, answers, random);
        for (int steps = random.Next(MaxSteps); steps > 0; steps--) await model.StepAsync();

        bool isViolated = await EndAsync(ending, sut, model, answers, reading, cancellation);
        foreach (var asked in model.All)
        {
            await Task.WhenAny(asked.Task).Within("the end of a callback");
            if (asked.IsDecided) asked.CheckAgain();
            else if (ending is Ending.HandlerReturns) Assert.Equal(MuxStatus.Cancelled, CallbackSessionModel.FailureOf(asked.Task));
            else if (ending is Ending.CallerEndsAnswers) Assert.Equal(MuxStatus.Unavailable, CallbackSessionModel.FailureOf(asked.Task));
            else Assert.True(asked.Task.IsCanceled);
            asked.Cancellation.Dispose();
        }

        Assert.Equal(isViolated ? MuxStatus.InvalidArgument : null, (Record.Exception(sut.ThrowIfViolated) as MuxException)?.Status);
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => model.AskTooLate().Within("a callback that is too late"));
        Assert.Equal(late, (failure as MuxException)?.Status);
        if (late is null) Assert.IsType<OperationCanceledException>(failure, exactMatch: false);
        sut.Close();
        await sut.EndAsync(cancelsHandler: true);
        await reading.Within("the end of the answers");
    }

    /// <returns>True if an answer has broken a rule.</returns>
    private static async Task<bool> EndAsync(
        Ending ending, CallbackSession sut, CallbackSessionModel model, AnswerSource answers, Task reading, CancellationTokenSource cancellation)
    {
        ulong bad = ulong.MaxValue;
        switch (ending)
        {
            case Ending.HandlerReturns:
                sut.Close();
                return false;
            case Ending.CallIsCancelled:
                await cancellation.CancelAsync();
                return false;
            case Ending.CallerEndsAnswers:
                answers.End();
                await reading.Within("the end of the answers");
                return false;
            case Ending.AnsweredTwice:
                bad = model.All.Find(asked => !model.Unanswered.Contains(asked))?.Id ?? bad;
                break;
            case Ending.AnsweredBeforeItWasSent:
                bad = model.Unanswered.FirstOrDefault(static asked => !asked.IsSent)?.Id ?? bad;
                break;
        }

        await answers.GiveAsync(new CallbackAnswer { Id = bad, Body = new byte[] { 1 } });
        var ended = new Signal("the token of the handler");
        await using var registration = sut.Token.Register(ended.Set);
        await ended.WaitAsync();
        return true;
    }
}
