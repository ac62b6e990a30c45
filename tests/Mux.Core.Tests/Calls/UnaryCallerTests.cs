using Microsoft.Extensions.Logging.Abstractions;
using Mux.Buffers;
using Mux.Calls;
using Mux.Contracts;
using Mux.Endpoints;
using Mux.Serialization;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Calls;

public sealed class UnaryCallerTests
{
    [Fact]
    public void Refused_options_throw_and_leave_the_objects_of_calls_to_other_calls()
    {
        var calls = ObjectPool<UnaryCall<MuxUnit, MuxUnit, Method>>.Shared;
        var route = new ChannelRoute(EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance));
        var idle = UnaryCall<MuxUnit, MuxUnit, Method>.Rent(calls, route, MuxDispatchMode.Adaptive);
        calls.Return(idle);
        var sut = new UnaryCaller<MuxUnit, MuxUnit, Method>(route);
        var options = new MuxCallOptions { Timeout = Timeout.InfiniteTimeSpan };

        Assert.Throws<ArgumentOutOfRangeException>(nameof(MuxCallOptions.Timeout), () => Ignore(sut.CallAsync(default, options, CancellationToken.None)));

        Assert.Same(idle, calls.TryRent());
        route.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(-20_000_000)]
    public async Task A_call_whose_time_is_over_fails_at_once_and_reaches_no_connection(long ticks)
    {
        var transport = new InMemoryTransport();
        var route = new ChannelRoute(EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = transport }, NullLoggerFactory.Instance));
        var sut = new UnaryCaller<MuxUnit, MuxUnit, Method>(route);

        var call = sut.CallAsync(default, new MuxCallOptions { Timeout = TimeSpan.FromTicks(ticks) }, CancellationToken.None);

        Assert.True(call.IsFaulted);
        var error = await Assert.ThrowsAsync<MuxException>(async () => await call);
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue), (error.Status, error.Execution, error.Phase));
        Assert.Contains("The deadline had passed before the call was made.", error.Message, StringComparison.Ordinal);
        Assert.Empty(route.Ledger.Connections);
        Assert.Equal(1, route.Ledger.Sum().Calls.CountOf(Method.Descriptor, MuxStatus.DeadlineExceeded));
        await route.DisposeAsync();
    }

    private static void Ignore(ValueTask<MuxUnit> call) => _ = call.AsTask();

    private readonly struct Method : IUnaryMethod<object, MuxUnit, MuxUnit>
    {
        public static MethodDescriptor Descriptor { get; } = new("test", "Method", MethodShape.Unary, takesToken: false);

        public static void EncodeRequest(ref MessageWriter writer, MuxUnit request)
        {
        }

        public static MuxUnit DecodeRequest(ReadOnlySpan<byte> body) => default;

        public static void EncodeResponse(ref MessageWriter writer, MuxUnit response)
        {
        }

        public static MuxUnit DecodeResponse(ReadOnlySpan<byte> body) => default;

        public static ValueTask<MuxUnit> InvokeAsync(object service, MuxUnit request, MuxCallOptions? options, CancellationToken cancellationToken) => default;
    }
}
