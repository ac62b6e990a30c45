using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A deadline that passes inside a chain of calls is the deadline of all of them, whichever service notices it first.</summary>
public sealed class DeadlineChainTests : EndToEndTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    private readonly ManualTime _time = new();
    private readonly Desk _desk = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_deadline_that_passes_inside_a_chain_is_told_to_its_first_caller(TransportKind kind)
    {
        const int Chains = 100;
        var scene = Begin(kind);
        var last = new Desk { OnAsk = static async (_, token) => await WaitAsync(token) };
        var third = Proxy(scene, last);
        var second = Proxy(scene, new Desk { OnAsk = (question, _) => third.Ask(question, CancellationToken.None) });
        var first = Proxy(scene, new Desk { OnAsk = (question, token) => second.Ask(question, token) });
        var random = new Random(TestSeed.Next());
        var statuses = new Dictionary<MuxStatus, int>();
        for (int i = 0; i < Chains; i++)
        {
            Task<Answer> call;
            using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(5 + (20 * random.NextDouble())) }.Apply()) call = first.AskPlainly(new Question()).AsTask();
            var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of a chain"));
            statuses[error.Status] = statuses.GetValueOrDefault(error.Status) + 1;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{Chains} chains ended with: {string.Join(", ", statuses)}");
        Assert.Equal([MuxStatus.DeadlineExceeded], statuses.Keys);
        Assert.Empty(scene.Logs.Of("HandlerFailed"));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(Form.Plain)]
    [InlineData(Form.OfBlockingCode)]
    [InlineData(Form.Wrapped)]
    [InlineData(Form.WrappedOfBlockingCode)]
    public async Task A_call_of_a_handler_that_ends_by_the_handlers_own_deadline_ends_the_handlers_call_by_it(Form form)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var failed = new MuxException(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "mux://inner:1", "The deadline passed.");
        var reached = new Signal("the end of the inner call");
        _desk.OnAsk = async (_, _) =>
        {
            await reached.WaitAsync();
            throw In(form, failed);
        };
        var sut = Proxy(scene, _desk, options => options.CallTimeout = s_deadline);
        var call = sut.AskPlainly(new Question()).AsTask();
        await _desk.Started.ReachAsync(1);
        _time.Advance(s_deadline - TimeSpan.FromMilliseconds(2)); // the inner service has measured a little less
        reached.Set();

        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Contains("The deadline passed", error.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_deadline_is_told_to_the_first_caller_however_the_services_between_wrap_its_failure(TransportKind kind)
    {
        const int Chains = 100;
        var scene = Begin(kind);
        var last = Proxy(scene, new Desk { OnAsk = static async (_, token) => await WaitAsync(token) });
        var second = Proxy(scene, new Desk { OnAsk = (question, _) => WrapAsync(last.Ask(question, CancellationToken.None)) });
        var first = Proxy(scene, new Desk { OnAsk = (question, token) => WrapAsync(second.Ask(question, token)) });
        var random = new Random(TestSeed.Next());
        for (int i = 0; i < Chains; i++)
        {
            Task<Answer> call;
            using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(5 + (20 * random.NextDouble())) }.Apply()) call = first.AskPlainly(new Question()).AsTask();
            Assert.Equal(MuxStatus.DeadlineExceeded, (await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of a chain"))).Status);
        }

        Assert.Empty(scene.Logs.Of("HandlerFailed"));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(Form.Plain)]
    [InlineData(Form.WrappedOfBlockingCode)]
    public async Task A_shorter_deadline_of_a_call_that_a_handler_made_is_a_failure_of_the_handler(Form form)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedErrors.Add("HandlerFailed");
        var failed = new MuxException(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "mux://inner:1", "It passed.");
        _desk.OnAsk = (_, _) => throw In(form, failed);
        await Proxy(scene, _desk).AskPlainly(new Question()).FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await Proxy(scene, _desk, options => options.CallTimeout = s_deadline).AskPlainly(new Question())
            .FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
    }

    private static Exception In(Form form, Exception failed) => form switch
    {
        Form.OfBlockingCode => new AggregateException(new ArgumentException("The other one."), failed),
        Form.Wrapped => new InvalidOperationException("The order failed.", new InvalidOperationException("The stock failed.", failed)),
        Form.WrappedOfBlockingCode => new InvalidOperationException("The order failed.", new AggregateException(failed)),
        _ => failed,
    };

    private static async ValueTask<Answer> WrapAsync(ValueTask<Answer> inner)
    {
        try
        {
            return await inner;
        }
        catch (Exception error)
        {
            throw new InvalidOperationException("The order failed.", error);
        }
    }

    private static IDesk Proxy(Scene scene, Desk desk, Action<MuxChannelOptions>? configure = null) =>
        scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)), configure ?? (static _ => { })).CreateProxy<IDesk>();

    private static async Task<Answer> WaitAsync(CancellationToken token)
    {
        await new TaskCompletionSource().Task.WaitAsync(token);
        return new Answer();
    }

    /// <summary>How a handler throws the failure of a call that it made.</summary>
    public enum Form
    {
        Plain,
        OfBlockingCode,
        Wrapped,
        WrappedOfBlockingCode,
    }
}
