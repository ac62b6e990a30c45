using Microsoft.Extensions.Logging.Abstractions;
using Mux.Client;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Resilience;

/// <summary>Calls that begin to wait for a lost server at the moment at which it is reached.</summary>
public sealed class UnreachedCallsTests : IDisposable
{
    private const long HoldTime = 2_000_000;

    private static readonly MethodDescriptor s_method = new("test", "Held", MethodShape.Unary, takesToken: false);
    private static readonly CallFailure s_lost = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect, "No connection.");

    private readonly ManualTime _time = new();
    private readonly OneServer _route;
    private readonly UnreachedCalls _sut;

    public UnreachedCallsTests()
    {
        var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), TimeProvider = _time };
        _route = new OneServer(EngineSettings.Of(options, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")));
        _sut = new UnreachedCalls(_route, 1 << 20, HoldTime);
        _sut.OnReached(); // once: before that it holds nothing
    }

    public void Dispose() => _route.Dispose();

    [Fact]
    public void A_call_that_begins_to_wait_while_a_server_is_reached_starts_again_at_once()
    {
        var call = NewCall(meanwhile: () =>
        {
            _sut.OnReached(); // which does not find the call
            _route.IsOpen = true;
        });

        Assert.True(_sut.TryHold(call, s_lost));

        Assert.Equal([call], _route.Started);
        Assert.Equal(0, _sut.Count);
    }

    [Fact]
    public void A_call_that_begins_to_wait_while_a_server_is_reached_and_lost_again_fails_when_its_time_is_over()
    {
        var call = NewCall(meanwhile: _sut.OnReached);
        Assert.True(_sut.TryHold(call, s_lost));
        Assert.Equal((1, 1), (_sut.Count, _route.Dials));

        _time.Advance(TimeSpan.FromMicroseconds(HoldTime - 1_000));
        Assert.False(call.IsDone);
        _time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.Equal(s_lost, call.Failure);
        Assert.Empty(_route.Started);
    }

    /// <summary>Makes a call that a connection gives back: something happens before it waits.</summary>
    private static ProbeCall NewCall(Action meanwhile) => new(s_method) { Timer = new Meanwhile(meanwhile) };

    private sealed class Meanwhile(Action happens) : ICallTimer
    {
        public void End(int ticket, long sequence, bool replied)
        {
            // Nothing is timed.
        }

        public bool TryKeep(ref int ticket, long sequence)
        {
            happens();
            return false;
        }
    }

    /// <summary>A route to one server, of which the test says when it is reached.</summary>
    private sealed class OneServer(ChannelSettings settings) : DialingRoute(settings, hasOthers: false)
    {
        public bool IsOpen { get; set; }

        public int Dials { get; private set; }

        public List<OutgoingCall> Started { get; } = [];

        public override bool IsReached => IsOpen;

        public override void Dial() => Dials++;

        public override string EndpointOf(OutgoingCall? call) => "nowhere";

        public override IReadOnlyList<MuxEndpointStatus> GetEndpoints() => [];

        public override Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken) => Task.FromResult<OpeningFailure?>(null);

        public override void Start(OutgoingCall call, ReadOnlySpan<byte> body) => Started.Add(call);

        protected override ValueTask DisposePoolsAsync() => default;

        protected override void DisposePools()
        {
            // There are no connections.
        }
    }
}
