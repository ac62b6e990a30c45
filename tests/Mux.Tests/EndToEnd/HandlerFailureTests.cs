using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Tests.EndToEnd;

/// <summary>What the caller learns when a handler throws, and what it does not learn.</summary>
public sealed class HandlerFailureTests : EndToEndTests
{
    private readonly Desk _desk = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_throws_is_unknown_to_the_caller_and_logged_once_at_the_server(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        var thrown = new InvalidOperationException("the password is 1234");
        _desk.OnAsk = (_, _) => throw thrown;
        var error = await sut.Ask(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.DoesNotContain("password", error.ToString(), StringComparison.Ordinal);
        Assert.Equal($"test.Desk/Ask at {error.Endpoint} failed (Unknown, executed): The handler threw an exception: see the log of the server.", error.Message);
        Assert.StartsWith($"Mux.MuxException: {error.Message}", error.ToString(), StringComparison.Ordinal);
        var entry = Assert.Single(scene.Logs.Of("HandlerFailed"));
        Assert.Equal((LogLevel.Error, thrown, "Mux.Server"), (entry.Level, entry.Error, entry.Category));
        Assert.Contains("test.Desk/Ask", entry.Text, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_throws_later_fails_its_call_the_same_way(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        _desk.OnAsk = async (_, _) =>
        {
            await Task.Yield();
            throw new InvalidOperationException();
        };
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.AskOnPool(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal(2, scene.Logs.Of("HandlerFailed").Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_chooses_status_and_text_and_nothing_else(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        _desk.OnAsk = (_, _) => throw new MuxException(MuxStatus.NotFound, MuxExecution.NotExecuted, MuxCallPhase.Connect, endpoint: null, "There is no employee 7.");
        var error = await sut.Ask(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal("There is no employee 7.", error.Message);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_failure_with_a_handlers_own_text_tells_in_full_which_call_failed(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        _desk.OnAsk = (_, _) => throw new MuxException(MuxStatus.NotFound, "There is no employee 7.");
        var error = await sut.Ask(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal("test.Desk/Ask", error.Method);
        Assert.StartsWith($"Mux.MuxException: test.Desk/Ask at {error.Endpoint} failed (NotFound, executed): There is no employee 7.", error.ToString(), StringComparison.Ordinal);
        Assert.Equal("Mux.MuxException (NotFound, executed): There is no employee 7.", new MuxException(MuxStatus.NotFound, "There is no employee 7.").ToString());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_failure_of_a_call_that_a_handler_made_is_unknown_to_the_caller_and_logged(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var inner = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk { OnAsk = (_, _) => throw new MuxException(MuxStatus.NotFound, "secret") }))).CreateProxy<IDesk>();
        _desk.OnAsk = (_, _) => inner.AskPlainly(new Question());
        var error = await Start(scene).AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.DoesNotContain("secret", error.ToString(), StringComparison.Ordinal);
        var logged = Assert.IsType<MuxException>(Assert.Single(scene.Logs.Of("HandlerFailed")).Error);
        Assert.Equal((MuxStatus.NotFound, "secret"), (logged.Status, logged.Message));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_passes_the_failure_of_a_call_on_by_an_exception_of_its_own(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var failure = new MuxException(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler, "mux://inner:1", "There is no employee 7.");
        _desk.OnAsk = (_, _) => throw new MuxException(failure.Status, "No such employee.", failure);
        var error = await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal("No such employee.", error.Message);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_text_that_is_too_long_arrives_cut(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        _desk.OnAsk = (_, _) => throw new MuxException(MuxStatus.Aborted, new string('x', 100_000));
        var error = await sut.Ask(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal(4096, error.Message.Length);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_cancellation_that_nobody_asked_for_is_a_failure_like_any_other(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        _desk.OnAsk = (_, _) => throw new OperationCanceledException();
        await sut.Ask(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_returns_no_task_fails_its_call(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms { ForgetsTasks = true }));
        var sut = scene.CreateChannel(server).CreateProxy<IForms>();
        await sut.EmptyAsTask(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.NumberAsTask(1, TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Failing_calls_leave_the_connection_and_the_other_calls_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        _desk.OnAsk = (question, _) => question.Id % 3 == 0 ? throw new InvalidOperationException() : new(new Answer { Id = question.Id });
        var calls = Enumerable.Range(0, 300).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        for (int id = 0; id < calls.Count; id++)
        {
            if (id % 3 == 0) await calls[id].FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
            else Assert.Equal(id, (await calls[id]).Id);
        }

        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_logger_that_throws_harms_no_call_and_no_connection(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        scene.Logs.Throws = true;
        var sut = Start(scene);
        _desk.OnAsk = (_, _) => throw new InvalidOperationException();
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        _desk.OnAsk = async (_, _) =>
        {
            await Task.Yield();
            throw new InvalidOperationException();
        };
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.AskOnPool(new Question(), TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal(3, scene.Logs.Of("HandlerFailed").Count);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    private IDesk Start(Scene scene) => scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(_desk))).CreateProxy<IDesk>();

    [Fact(Timeout = TestLimit)]
    public async Task A_method_that_fails_at_all_its_calls_is_one_error_a_second_with_a_count()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedErrors.Add("HandlerFailed");
        var desk = new Desk { OnAsk = static (_, _) => throw new InvalidOperationException("no") };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        for (int i = 0; i < 100; i++) await Assert.ThrowsAsync<MuxException>(() => sut.AskPlainly(new Question()).AsTask());
        Assert.Equal("The handler of test.Desk/AskPlainly failed.", Assert.Single(Errors()).Text);
        Assert.Equal(100, scene.Logs.Of("HandlerFailed").Count);

        time.Advance(TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<MuxException>(() => sut.AskPlainly(new Question()).AsTask());
        Assert.EndsWith(" Similar messages at level Debug since the last one: 99.", Errors()[^1].Text, StringComparison.Ordinal);

        List<LogEntry> Errors() => [.. scene.Logs.Of("HandlerFailed").Where(entry => entry.Level == LogLevel.Error)];
    }
}
