using System.Diagnostics;
using System.Diagnostics.Metrics;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Faults;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Diagnostics;

/// <summary>Who listens to spans and meters is user code between a call and whoever waits for it: nothing that it does may become the call's affair, or the connection's.</summary>
public sealed class ListenerTests : EndToEndTests
{
    private readonly Mixed _service = new();

    public enum Listens
    {
        ToSampling,
        ToBegins,
        ToEnds,
        ToCurrent,
        ToDurations,
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(Listens.ToSampling)]
    [InlineData(Listens.ToBegins)]
    [InlineData(Listens.ToEnds)]
    [InlineData(Listens.ToCurrent)]
    [InlineData(Listens.ToDurations)]
    public async Task What_a_listener_throws_changes_nothing_for_calls_of_any_kind(Listens listens)
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = Start(scene);
        using var listener = Listen(scene, listens, static (_, _) => throw new InvalidOperationException("of a listener"));

        for (int id = 1; id <= 3; id++)
        {
            await CallAllAsync(sut, id);
            Assert.Null(Activity.Current);
        }

        Assert.Equal(1, scene.Channels[0].GetStatistics().OpenConnections);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(Listens.ToBegins, true, false, TransportKind.Epoll)]
    [InlineData(Listens.ToBegins, true, true, TransportKind.Tcp)]
    [InlineData(Listens.ToEnds, true, false, TransportKind.Tcp)]
    [InlineData(Listens.ToEnds, false, false, TransportKind.Epoll)]
    [InlineData(Listens.ToEnds, false, true, TransportKind.Tcp)]
    [InlineData(Listens.ToDurations, true, false, TransportKind.Epoll)]
    [InlineData(Listens.ToDurations, true, true, TransportKind.Tcp)]
    [InlineData(Listens.ToDurations, false, false, TransportKind.Tcp)]
    [InlineData(Listens.ToDurations, false, true, TransportKind.Epoll)]
    public async Task A_listener_that_blocks_holds_up_its_own_call_and_no_other(Listens listens, bool atServer, bool streams, TransportKind kind)
    {
        const int Last = 50;
        var (blocked, end) = (new Signal("the listener that blocks"), new Signal("its end"));
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IMixed>(_service), options => options.Dispatch = MuxDispatchMode.Inline);
        var sut = scene.CreateChannel(server, options => options.Dispatch = MuxDispatchMode.Inline).CreateProxy<IMixed>();
        await AskAsync(sut, 1);
        int heard = 0;
        using var listener = Listen(scene, listens, (isServer, _) =>
        {
            if (isServer != atServer || Interlocked.Increment(ref heard) > 1) return;
            blocked.Set();
            end.Wait();
        });

        var call = streams ? CountAsync(sut, Last) : AskAsync(sut, Last);
        await blocked.WaitAsync();
        for (int id = 0; id < 100; id++) Assert.Equal(id, await AskAsync(sut, id).Within($"the reply to call {id} behind the blocked one"));
        end.Set();
        Assert.Equal(Last, await call.Within("the outcome of the call whose listener had blocked"));
    }

    /// <summary>A call of every kind.</summary>
    private static async Task CallAllAsync(IMixed sut, int id)
    {
        Assert.Equal(id, await AskAsync(sut, id).Within("a reply"));
        Assert.Equal(300_000, (await sut.Ask(new Question { Bytes = new byte[300_000] }).AsTask().Within("a large reply")).Bytes!.Length);
        await sut.Ask(new Question { Text = "fail" }).AsTask().Within("a failure").FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.Tell(new Question()).AsTask().Within("a one-way call");
        Assert.Equal(3, (await sut.Sum(new Question(), Items(3)).AsTask().Within("a sum")).Names!.Count);
        Assert.Equal(id, await CountAsync(sut, id).Within("a list"));
        Assert.Equal(3, await sut.Talk(new Question(), Items(3)).CountAsync().AsTask().Within("a talk"));
    }

    /// <summary>A call that answers with its own id.</summary>
    private static async Task<int> AskAsync(IMixed sut, int id) => (await sut.Ask(new Question { Id = id }).ConfigureAwait(false)).Id;

    /// <summary>A call that answers with so many items.</summary>
    private static Task<int> CountAsync(IMixed sut, int items) => sut.List(new Question { Names = [.. Enumerable.Repeat("a", items)] }).CountAsync().AsTask();

    /// <summary>Has somebody listen.</summary>
    /// <param name="scene">Whose meters they are.</param>
    /// <param name="listens">To what.</param>
    /// <param name="hears">Whether it is at the server, and what it is of.</param>
    private static IDisposable Listen(Scene scene, Listens listens, Action<bool, string> hears)
    {
        if (listens == Listens.ToCurrent) return new CurrentListener(hears);
        if (listens == Listens.ToDurations)
        {
            var meters = new MeterListener
            {
                InstrumentPublished = (instrument, self) =>
                {
                    if (instrument.Meter.Scope == scene.Meters && !instrument.IsObservable) self.EnableMeasurementEvents(instrument);
                },
            };
            meters.SetMeasurementEventCallback<double>((instrument, _, _, _) => hears(instrument.Name.Contains("server", StringComparison.Ordinal), instrument.Name));
            meters.Start();
            return meters;
        }

        var spans = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Mux",
            Sample = (ref options) =>
            {
                if (listens == Listens.ToSampling) hears(options.Kind == ActivityKind.Server, options.Name);
                return ActivitySamplingResult.AllDataAndRecorded;
            },
        };
        if (listens == Listens.ToBegins) spans.ActivityStarted = span => hears(span.Kind == ActivityKind.Server, span.DisplayName);
        if (listens == Listens.ToEnds) spans.ActivityStopped = span => hears(span.Kind == ActivityKind.Server, span.DisplayName);
        ActivitySource.AddActivityListener(spans);
        return spans;
    }

    private static async IAsyncEnumerable<Question> Items(int count)
    {
        for (int id = 0; id < count; id++)
        {
            await Task.Yield();
            yield return new Question { Id = id };
        }
    }

    private IMixed Start(Scene scene) => scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>();

    /// <summary>Listens to what becomes current, where spans are made.</summary>
    private sealed class CurrentListener : IDisposable
    {
        private readonly Action<bool, string> _hears;
        private readonly Spans _spans = new();

        public CurrentListener(Action<bool, string> hears)
        {
            _hears = hears;
            Activity.CurrentChanged += OnCurrentChanged;
        }

        public void Dispose()
        {
            Activity.CurrentChanged -= OnCurrentChanged;
            _spans.Dispose();
        }

        private void OnCurrentChanged(object? sender, ActivityChangedEventArgs change) => _hears(change.Current?.Kind == ActivityKind.Server, change.Current?.DisplayName ?? string.Empty);
    }
}
