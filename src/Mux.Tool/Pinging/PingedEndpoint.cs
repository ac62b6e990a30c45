using System.Diagnostics;
using System.Globalization;
using Mux.Tool.Measuring;
using Mux.Tool.Serving;

namespace Mux.Tool.Pinging;

/// <summary>One endpoint: its connection, and the figures of its pings. One ping at a time.</summary>
internal sealed class PingedEndpoint : IAsyncDisposable
{
    private const string GatewayText = "The gateway has no route for "; // how a gateway says so

    private readonly PingPlan _plan;
    private readonly TimedTransport _transport;
    private readonly MuxChannel _channel;
    private readonly IPing _ping;
    private readonly LatencyRecorder _roundTrips = new();

    public PingedEndpoint(MuxAddress address, PingPlan plan)
    {
        (Address, _plan) = (address, plan);
        _transport = new TimedTransport(EngineChoice.MakeTransport(address, plan.Links));
        _channel = MuxChannel.Create(new MuxChannelOptions
        {
            Address = address.ToString(),
            Transport = _transport,
            PeerName = "mux ping",
            Credentials = plan.Links.Credentials,
            AllowPlaintext = plan.Links.AllowPlaintext,
            RequireChallenge = plan.Links.RequireChallenge,
            CallTimeout = plan.Timeout,
            DrainTimeout = TimeSpan.Zero,
        });
        _ping = _channel.CreateProxy<IPing>();
    }

    public MuxAddress Address { get; }

    public int Sent { get; private set; }

    public int Answered { get; private set; }

    /// <summary>The connection that was opened first; null if none was.</summary>
    public PingConnection? Connection { get; private set; }

    /// <summary>Why the last lost ping was lost; null if none was.</summary>
    public string? LastFailure { get; private set; }

    /// <summary>
    /// True if the last answer was that of a gateway, which forwards no such service: the round trips are its own. With a route for it, the server behind the
    /// gateway answers, which does not show.
    /// </summary>
    public bool IsGateway { get; private set; }

    /// <summary>Gets the round trips so far.</summary>
    public LatencyHistogram RoundTrips()
    {
        var sum = new LatencyHistogram();
        sum.Add(_roundTrips);
        return sum;
    }

    /// <summary>Pings until the count is reached.</summary>
    /// <param name="report">Called with each outcome.</param>
    /// <param name="interrupted">Ends it.</param>
    public async Task RunAsync(Action<PingReply> report, CancellationToken interrupted)
    {
        try
        {
            while (_plan.Count is not { } count || Sent < count)
            {
                long startedAt = Stopwatch.GetTimestamp();
                report(await PingAsync(interrupted).ConfigureAwait(false));
                var left = _plan.Interval - Stopwatch.GetElapsedTime(startedAt);
                bool isLast = _plan.Count == Sent;
                if (left > TimeSpan.Zero && !isLast) await Task.Delay(left, TimeProvider.System, interrupted).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (interrupted.IsCancellationRequested)
        {
            // The user has seen enough.
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync().ConfigureAwait(false);
        _transport.Dispose();
    }

    private async Task<PingReply> PingAsync(CancellationToken interrupted)
    {
        PingConnection? opened = null;
        TimeSpan? roundTrip = null;
        string? failure = null;
        try
        {
            if (_channel.GetStatistics().OpenConnections == 0) opened = await OpenAsync(interrupted).ConfigureAwait(false);
            long startedAt = Stopwatch.GetTimestamp();
            var result = await _ping.PingAsync(interrupted).ConfigureAwait(false);
            long ticks = Stopwatch.GetTimestamp() - startedAt;
            interrupted.ThrowIfCancellationRequested();
            if (IsAnswer(result))
            {
                roundTrip = Stopwatch.GetElapsedTime(0, ticks);
                _roundTrips.Record(ticks);
                Answered++;
                IsGateway = result.Failure?.Message.Contains(GatewayText, StringComparison.Ordinal) == true;
            }
            else
            {
                failure = result.Failure!.Status == MuxStatus.DeadlineExceeded ? InTime("answer from") : FlagNames.In(result.Failure.Message);
            }
        }
        catch (MuxException error)
        {
            failure = FlagNames.In(error.Message);
        }
        catch (TimeoutException)
        {
            failure = InTime("connection to");
        }

        Sent++;
        LastFailure = failure ?? LastFailure;
        Connection ??= opened;
        return new PingReply(Address, Sent, roundTrip, failure, opened);
    }

    private string InTime(string what) => string.Create(
        CultureInfo.InvariantCulture, $"No {what} {Address} within {_plan.Timeout.TotalSeconds} s, the --timeout.");

    // The server has no such method, or says only to some clients whether it has: it answers.
    private static bool IsAnswer(MuxResult<MuxUnit> result) => result.Failure is null or { Status: MuxStatus.Unimplemented or MuxStatus.PermissionDenied };

    private async Task<PingConnection> OpenAsync(CancellationToken interrupted)
    {
        await _channel.ConnectAsync(interrupted).WaitAsync(_plan.Timeout, TimeProvider.System, interrupted).ConfigureAwait(false);
        var link = _transport.Newest!;
        return new PingConnection(link.ConnectTime, Stopwatch.GetElapsedTime(link.ConnectedAt), link.Hello);
    }
}
