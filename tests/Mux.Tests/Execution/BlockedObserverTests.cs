using System.Diagnostics.Metrics;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Execution;

/// <summary>Logs and listeners that block where a deadline has passed: the thread that keeps the deadlines of the process is not theirs to keep.</summary>
public sealed class BlockedObserverTests : IAsyncDisposable
{
    private const int TestLimit = 60_000;

    private static readonly TimeSpan s_soon = TimeSpan.FromMilliseconds(100);

    private readonly Signal _blocked = new("the observer that blocks"), _end = new("its end");
    private readonly MuxServer _server;
    private readonly MuxChannel _channel;
    private readonly MeterReadings _meters = new();

    public BlockedObserverTests()
    {
        _server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", DrainTimeout = TimeSpan.Zero }).AddService<IDesk>(
            new Desk { OnAsk = static (_, token) => new(UntilCancelledAsync(token)) });
        _server.Start();
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = _server.Address.ToString(), MeterFactory = _meters, CallTimeout = s_soon, DrainTimeout = TimeSpan.Zero });
    }

    public async ValueTask DisposeAsync()
    {
        _end.Set();
        await _channel.DisposeAsync();
        await _server.DisposeAsync();
        _meters.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Deadlines_end_calls_although_a_log_of_another_deadline_blocks()
    {
        using var loggers = new BlockingLogs("ServerConnectionClosed", () =>
        {
            _blocked.Set();
            _end.Wait();
        });
        await using var other = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", HandshakeTimeout = s_soon }, loggers);
        other.Start();
        using var silent = new TcpClient();
        await silent.ConnectAsync(other.Address.Host, other.Address.Port, TestContext.Current.CancellationToken);
        await _blocked.WaitAsync(); // the handshake of a peer that says nothing has ended

        for (int i = 0; i < 3; i++) await ExpiresAsync();

        _end.Set();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Deadlines_end_calls_although_a_listener_to_the_duration_of_another_call_blocks()
    {
        await _channel.ConnectAsync(TestContext.Current.CancellationToken);
        int heard = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name == "rpc.client.call.duration" && instrument.Meter.Scope == _meters) self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, _, _) =>
        {
            if (Interlocked.Increment(ref heard) > 1) return;
            _blocked.Set();
            _end.Wait();
        });
        listener.Start();
        var first = ExpiresAsync();
        await _blocked.WaitAsync();

        for (int i = 0; i < 3; i++) await ExpiresAsync();

        Assert.False(first.IsCompleted);
        _end.Set();
        await first;
    }

    private static Task<Answer> UntilCancelledAsync(CancellationToken token)
    {
        var answer = new TaskCompletionSource<Answer>(TaskCreationOptions.RunContinuationsAsynchronously);
        token.Register(() => answer.TrySetCanceled(token));
        return answer.Task;
    }

    private async Task ExpiresAsync()
    {
        var call = _channel.CreateProxy<IDesk>().Ask(new Question(), TestContext.Current.CancellationToken).AsTask();
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the deadline of a call"));
        Assert.Equal(MuxStatus.DeadlineExceeded, error.Status);
    }

    private sealed class BlockingLogs(string name, Action block) : ILoggerFactory, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (eventId.Name == name) block();
        }

        public void Dispose()
        {
        }
    }
}
