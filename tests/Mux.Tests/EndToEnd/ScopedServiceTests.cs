using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Services of which each call gets its own.</summary>
public sealed class ScopedServiceTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Each_call_gets_its_own_instance_which_is_disposed_however_the_call_ends(TransportKind kind)
    {
        const int Rounds = 100;
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        int desks = 0;
        var desksOfCalls = new ScopedDesks(() =>
        {
            int number = Interlocked.Increment(ref desks);
            return new Desk { OnAsk = (question, _) => Answer(question, number) };
        });
        var sut = Start(scene, desksOfCalls);
        var answers = new List<Task<Answer>>();
        for (int id = 0; id < Rounds; id++)
        {
            answers.Add(sut.AskPlainly(new Question { Id = 1 }).AsTask());
            answers.Add(sut.AskOnPool(new Question { Id = 2 }, CancellationToken.None).AsTask());
            answers.Add(sut.AskInline(new Question { Id = 3 }, CancellationToken.None).AsTask());
            answers.Add(sut.Ask(new Question { Id = 4 }, CancellationToken.None).AsTask());
            await sut.Tell(new Question(), CancellationToken.None);
        }

        var numbers = new HashSet<string>();
        foreach (var (index, answer) in answers.Index())
        {
            if (index % 4 < 2) Assert.True(numbers.Add((await answer.Within("a reply")).Text!));
            else await answer.Within("a failure").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        }

        Assert.Equal(2 * Rounds, numbers.Count);
        await desksOfCalls.Disposed.ReachAsync(5 * Rounds);
        Assert.Equal((5 * Rounds, 5 * Rounds), (desksOfCalls.Opened.Count, desksOfCalls.Disposed.Count));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_instance_lives_as_long_as_its_handler_runs_and_not_longer(TransportKind kind)
    {
        var scene = Begin(kind);
        var answer = new Signal("the end of the handler");
        var desk = Desk.AnsweringAfter(answer);
        var desks = new ScopedDesks(() => desk);
        var sut = Start(scene, desks);
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancelled call"));
        Assert.Equal(0, desks.Disposed.Count); // the call has ended, its handler has not
        answer.Set();
        await desks.Disposed.ReachAsync(1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_reply_does_not_wait_for_the_disposal(TransportKind kind)
    {
        var scene = Begin(kind);
        var end = new Signal("the end of the disposal");
        var desks = new ScopedDesks(() => new Desk()) { OnDispose = () => new(end.WaitAsync()) };
        var sut = Start(scene, desks);
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
        Assert.Equal(8, (await sut.AskOnPool(new Question { Id = 8 }, CancellationToken.None).AsTask().Within("the reply")).Id);
        await desks.Disposed.ReachAsync(2);
        end.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_disposal_that_fails_is_logged_and_harms_no_call(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ScopeFailed");
        var thrown = new InvalidOperationException();
        var desks = new ScopedDesks(() => new Desk()) { OnDispose = () => throw thrown };
        var sut = Start(scene, desks);
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
        await scene.Logs.ReachAsync("ScopeFailed");
        desks.OnDispose = async () =>
        {
            await Task.Yield();
            throw thrown;
        };
        Assert.Equal(8, (await sut.AskPlainly(new Question { Id = 8 }).AsTask().Within("the reply")).Id);
        var entries = await scene.Logs.ReachAsync("ScopeFailed", 2);
        Assert.All(entries, entry => Assert.Same(thrown, entry.Error));
        Assert.All(entries, entry => Assert.Contains("test.Desk/AskPlainly", entry.Text, StringComparison.Ordinal));
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_service_that_cannot_be_created_fails_the_call_alone_and_is_told_to_the_log(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ServiceUnavailable");
        var thrown = new InvalidOperationException("the password is 1234");
        bool fails = true;
        var desks = new ScopedDesks(() => Volatile.Read(ref fails) ? throw thrown : new Desk());
        var sut = Start(scene, desks);
        var error = await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("The service could not be created.", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("password", error.ToString(), StringComparison.Ordinal);
        await sut.AskOnPool(new Question(), CancellationToken.None).FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        await sut.Tell(new Question(), CancellationToken.None);
        var entries = await scene.Logs.ReachAsync("ServiceUnavailable", 3);
        Assert.All(entries, entry => Assert.Same(thrown, entry.Error));
        Volatile.Write(ref fails, false);
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
        Assert.Equal(3, scene.Logs.Of("ServiceUnavailable").Count);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("ServiceUnavailable", true)]
    [InlineData("ScopeFailed", false)]
    public async Task A_scope_that_fails_at_all_calls_is_one_error_a_second_with_a_count(string name, bool atCreation)
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedErrors.Add(name);
        var desks = new ScopedDesks(() => atCreation ? throw new InvalidOperationException() : new Desk()) { OnDispose = static () => throw new InvalidOperationException() };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddServiceFrom(desks))).CreateProxy<IDesk>();
        for (int i = 1; i <= 100; i++)
        {
            await Record.ExceptionAsync(() => sut.AskPlainly(new Question()).AsTask());
            await scene.Logs.ReachAsync(name, i);
        }

        Assert.Single(Errors());
        time.Advance(TimeSpan.FromSeconds(1));
        await Record.ExceptionAsync(() => sut.AskPlainly(new Question()).AsTask());
        await scene.Logs.ReachAsync(name, 101);
        Assert.EndsWith(" Similar messages at level Debug since the last one: 99.", Errors()[^1].Text, StringComparison.Ordinal);

        List<LogEntry> Errors() => [.. scene.Logs.Of(name).Where(static entry => entry.Level == LogLevel.Error)];
    }

    private static ValueTask<Answer> Answer(Question question, int number)
    {
        var answer = new Answer { Text = $"{number}" };
        return question.Id switch
        {
            1 => new(answer),
            2 => AnswerLater(answer),
            3 => throw new InvalidOperationException(),
            _ => AnswerLater(null),
        };
    }

    private static async ValueTask<Answer> AnswerLater(Answer? answer)
    {
        await Task.Yield();
        return answer ?? throw new InvalidOperationException();
    }

    private static IDesk Start(Scene scene, ScopedDesks desks) => scene.CreateChannel(scene.StartServer(server => server.AddServiceFrom(desks))).CreateProxy<IDesk>();
}
