using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Calls;

public sealed class UnaryCallerTests
{
    private static readonly UnaryMethod<MuxUnit, MuxUnit> s_method = new(
        new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: false), new EmptyCodec("request"), new EmptyCodec("reply"), static (_, _, _, _) => default);

    [Fact]
    public void An_infinite_timeout_of_a_call_is_no_timeout_whatever_its_channel_says()
    {
        var settings = EngineSettings.Of(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), CallTimeout = TimeSpan.FromSeconds(1) }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1"));
        var route = new ChannelRoute(settings);
        var call = new UnaryCaller<MuxUnit, MuxUnit>(s_method, route).RentCall();

        OutgoingOptions.Apply(call, route, OutgoingOptions.DeadlineOf(s_method.Descriptor, route), new MuxCallOptions { Timeout = Timeout.InfiniteTimeSpan });
        Assert.Equal(Clock.Never, call.Due);

        OutgoingOptions.Apply(call, route, OutgoingOptions.DeadlineOf(s_method.Descriptor, route), new MuxCallOptions());
        Assert.NotEqual(Clock.Never, call.Due);
        route.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(-20_000_000)]
    public async Task A_call_whose_time_is_over_fails_at_once_and_reaches_no_connection(long ticks)
    {
        var transport = new InMemoryTransport();
        var route = new ChannelRoute(EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = transport }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")));
        var sut = new UnaryCaller<MuxUnit, MuxUnit>(s_method, route);

        var call = sut.CallAsync(default, new MuxCallOptions { Timeout = TimeSpan.FromTicks(ticks) }, CancellationToken.None);

        Assert.True(call.IsFaulted);
        var error = await Assert.ThrowsAsync<MuxException>(async () => await call);
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue), (error.Status, error.Execution, error.Phase));
        Assert.Contains("The deadline had passed before the call was made.", error.Message, StringComparison.Ordinal);
        Assert.Empty(route.Ledger.Connections);
        Assert.Equal(1, route.Ledger.Sum().Calls.CountOf(s_method.Descriptor, MuxStatus.DeadlineExceeded));
        await route.DisposeAsync();
    }

    [Fact]
    public void An_idle_call_keeps_no_reply()
    {
        var route = new ChannelRoute(EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")));
        var method = new UnaryMethod<MuxUnit, object>(
            new MethodDescriptor("test", "Replies", MethodShape.Unary, takesToken: false), new EmptyCodec("request"), new FreshCodec(), static (_, _, _, _) => default);
        var call = new UnaryCaller<MuxUnit, object>(method, route).RentCall();

        var reply = Answer(call);
        GC.Collect();

        Assert.False(reply.IsAlive);
        GC.KeepAlive(call);
        route.Dispose();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static WeakReference Answer(UnaryCall<MuxUnit, object> call)
        {
            short version = call.Version;
            call.OnResponse([], new CallTally());
            return new WeakReference(((IValueTaskSource<object>)call).GetResult(version));
        }
    }

    private sealed class FreshCodec() : MessageCodec<object>("reply")
    {
        public override void Encode(ref MessageWriter writer, object message)
        {
        }

        public override object Decode(ReadOnlySpan<byte> body) => new();
    }
}
