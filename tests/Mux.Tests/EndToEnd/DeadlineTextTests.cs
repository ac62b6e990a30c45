using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A call that is late says how much time it had, and what to change.</summary>
public sealed class DeadlineTextTests : EndToEndTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20); // how late a deadline may be noticed

    private readonly ManualTime _time = new();
    private readonly Timed _timed = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_timeout_of_the_method_is_named_with_its_time()
    {
        var sut = Start();
        var call = sut.Wait(1, TestContext.Current.CancellationToken).AsTask();
        await _timed.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromMilliseconds(300) + s_tick);
        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.EndsWith(
            "The deadline passed before the reply came. The call had 300 ms: to allow more, raise TimeoutMilliseconds in its contract.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stream_that_has_begun_is_late_to_end()
    {
        var sut = Start();
        await using var items = sut.Count(TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        var next = items.MoveNextAsync().AsTask();
        _time.Advance(TimeSpan.FromMilliseconds(300) + s_tick);
        var error = await next.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.EndsWith(
            "The deadline passed before the response stream ended. The call had 300 ms: to allow more, raise TimeoutMilliseconds in its contract.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_time_of_the_channel_is_named_where_the_contract_gives_none()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var desk = new Desk { OnAsk = static async (_, token) => await WaitAsync<Answer>(token) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)), options => options.CallTimeout = TimeSpan.FromSeconds(5)).CreateProxy<IDesk>();
        var call = sut.Ask(new Question(), TestContext.Current.CancellationToken);
        await desk.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromSeconds(5) + s_tick);
        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.EndsWith("The call had 5000 ms: to allow more, raise CallTimeout of the channel.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_timeout_that_neither_contract_nor_channel_gives_is_not_ascribed_to_them()
    {
        var sut = Start();
        Task call;
        using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }.Apply())
            call = sut.Wait(1, TestContext.Current.CancellationToken).AsTask();
        await _timed.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromMilliseconds(100) + s_tick);
        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.Contains("The deadline passed before the reply came. Allow more time: Timeout of the call, ", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_ends_a_call_by_its_own_limit_names_the_limit()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var desk = new Desk { OnAsk = static async (_, token) => await WaitAsync<Answer>(token) };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallTimeout = TimeSpan.FromMilliseconds(200));
        var call = scene.CreateChannel(server).CreateProxy<IDesk>().Ask(new Question(), TestContext.Current.CancellationToken);
        await desk.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromMilliseconds(200) + s_tick);
        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.EndsWith("The deadline passed, and the handler was cancelled. The server allows a call 200 ms (MaxCallTimeout).", error.Message, StringComparison.Ordinal);
    }

    private static async Task<T> WaitAsync<T>(CancellationToken token)
    {
        var end = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = token.Register(() => end.TrySetCanceled(token));
        return await end.Task;
    }

    private ITimed Start()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var server = scene.StartServer(server => server.AddService<ITimed>(_timed));
        return scene.CreateChannel(server, options => options.CallTimeout = TimeSpan.FromSeconds(5)).CreateProxy<ITimed>();
    }

    private sealed class Timed : ITimed
    {
        public Counter Started { get; } = new("started handlers");

        public async ValueTask<int> Wait(int number, CancellationToken cancellationToken = default)
        {
            Started.Add();
            return await WaitAsync<int>(cancellationToken);
        }

        public async IAsyncEnumerable<int> Count([EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            yield return 1;
            yield return await WaitAsync<int>(cancellationToken);
        }
    }
}
