using Mux.Discovery;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;
using Mux.Transports;

namespace Mux.Tool.Load;

/// <summary>The connections of a run, each with its own channel.</summary>
/// <remarks>
/// A channel with N connections gives a call to the connection with the fewest calls, so tokens wander: a call made in the turn of one connection may have to
/// be sent on another. Measured at 10 x 200 on two cores: 2.4 million calls per second and 142 calls per send with a channel each; 1.9 million and 97 with one
/// channel.
/// </remarks>
internal sealed class Lanes : IAsyncDisposable
{
    // A peer on the same machine or network that takes longer will not answer.
    private static readonly TimeSpan s_handshakeTimeout = TimeSpan.FromSeconds(5);

    // How long the calls of a replaced connection may take before they are cut off.
    private static readonly TimeSpan s_drainTimeout = TimeSpan.FromSeconds(10);

    // Half of the pending handshakes that a server allows one address.
    private const int DialedAtOnce = 32;

    // A token that has read the proxy of a connection that is replaced makes its call within nanoseconds, unless its thread is preempted.
    private static readonly TimeSpan s_lastCalls = TimeSpan.FromMilliseconds(20);

    private readonly LanePlan _plan;
    private readonly ITransport _transport;
    private readonly Lane[] _lanes;
    private readonly Lock _gate = new(); // guards the fields below
    private readonly HashSet<MuxChannel> _retiring = [];
    private MuxStatistics? _retired; // of the channels that are closed

    private Lanes(LanePlan plan)
    {
        _plan = plan;
        _transport = EngineChoice.MakeTransport(plan.Target.Sample, plan.Links);
        _lanes = new Lane[plan.Connections];
        for (int i = 0; i < _lanes.Length; i++) _lanes[i] = new Lane(Create());
    }

    public int Count => _lanes.Length;

    /// <summary>Opens all connections.</summary>
    /// <exception cref="ToolException">A connection cannot be opened.</exception>
    public static async Task<Lanes> OpenAsync(LanePlan plan, CancellationToken cancellationToken)
    {
        var lanes = new Lanes(plan);
        try
        {
            foreach (var some in lanes._lanes.Chunk(DialedAtOnce))
            {
                await Task.WhenAll(some.Select(lane => lane.Channel.ConnectAsync(cancellationToken))).ConfigureAwait(false);
            }

            return lanes;
        }
        catch (MuxException error)
        {
            await lanes.DisposeAsync().ConfigureAwait(false);
            throw new ToolException(ExitCode.Unreachable, error.Message, error);
        }
        catch
        {
            await lanes.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Creates a proxy on the first connection.</summary>
    public TService CreateProxy<TService>()
        where TService : class => _lanes[0].Channel.CreateProxy<TService>();

    /// <summary>Gets the statistics of all channels, those that were replaced included.</summary>
    public MuxStatistics[] GetStatistics()
    {
        lock (_gate)
        {
            var open = _lanes.Select(lane => lane.Channel).Concat(_retiring).Select(channel => channel.GetStatistics());
            return _retired is null ? [.. open] : [.. open, _retired];
        }
    }

    /// <summary>Gets the endpoints of each channel, as the channel knows them now.</summary>
    public IEnumerable<MuxEndpointStatus> GetEndpoints() => [.. _lanes.SelectMany(lane => lane.Channel.GetEndpoints())];

    /// <summary>Creates an object per connection.</summary>
    public IReadOnlyList<T> ForEach<T>(Func<Lane, T> make) => Array.ConvertAll(_lanes, lane => make(lane));

    /// <summary>Opens another connection in the place of one, and makes further calls go there.</summary>
    /// <returns>The channel before, for <see cref="RetireAsync"/>.</returns>
    /// <exception cref="MuxException">It cannot be opened; the one before stays.</exception>
    public async Task<MuxChannel> ReplaceAsync(int index, CancellationToken cancellationToken)
    {
        var next = Create();
        try
        {
            await next.ConnectAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await next.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        lock (_gate)
        {
            var before = _lanes[index].MoveTo(next);
            _retiring.Add(before);
            return before;
        }
    }

    /// <summary>Closes a replaced channel when its calls have ended.</summary>
    public async Task RetireAsync(MuxChannel channel)
    {
        await Task.Delay(s_lastCalls, TimeProvider.System).ConfigureAwait(false);
        await channel.DisposeAsync().ConfigureAwait(false);
        lock (_gate)
        {
            _retiring.Remove(channel);
            var last = channel.GetStatistics();
            _retired = _retired is null ? last : _retired with
            {
                CallsCompleted = _retired.CallsCompleted + last.CallsCompleted,
                Sends = _retired.Sends + last.Sends,
                Receives = _retired.Receives + last.Receives,
                ProtocolErrors = _retired.ProtocolErrors + last.ProtocolErrors,
            };
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_lanes.Select(lane => lane.Channel.DisposeAsync().AsTask())).ConfigureAwait(false);
    }

    private MuxChannel Create() => MuxChannel.Create(
        new MuxChannelOptions
        {
            Address = _plan.Target.Text,
            MaxConnections = 1, // a lane is a connection (to each server)
            PeerName = "mux bench",
            Transport = _transport,
            Credentials = _plan.Links.Credentials,
            AllowPlaintext = _plan.Links.AllowPlaintext,
            RequireChallenge = _plan.Links.RequireChallenge,
            HandshakeTimeout = s_handshakeTimeout,
            MaxMessageBytes = WorkloadTraits.MaxMessageBytes,
            CallTimeout = _plan.TimeLimit ?? Timeout.InfiniteTimeSpan,
            // Without either, open calls are lost at the end: the run has already waited for them.
            DrainTimeout = _plan.IsChurned || _plan.IsOneWay ? s_drainTimeout : TimeSpan.Zero,
        },
        _plan.Tally);
}
