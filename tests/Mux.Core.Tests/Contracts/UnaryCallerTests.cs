using Microsoft.Extensions.Logging.Abstractions;
using Mux.Buffers;
using Mux.Channels;
using Mux.Contracts;
using Mux.Serialization;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Contracts;

public sealed class UnaryCallerTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Refused_options_throw_and_leave_the_objects_of_calls_to_other_calls(int milliseconds)
    {
        var calls = ObjectPool<UnaryCall<object, Unit, Unit, Method>>.Shared;
        var pool = new ConnectionPool(EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance));
        var idle = UnaryCall<object, Unit, Unit, Method>.Rent(calls, pool, MuxDispatch.Adaptive);
        calls.Return(idle);
        var sut = new UnaryCaller<object, Unit, Unit, Method>(pool);
        var options = new CallOptions { Deadline = TimeSpan.FromMilliseconds(milliseconds) };

        Assert.Throws<ArgumentOutOfRangeException>(nameof(CallOptions.Deadline), () => Ignore(sut.CallAsync(default, options, CancellationToken.None)));

        Assert.Same(idle, calls.TryRent());
        pool.Dispose();
    }

    private static void Ignore(ValueTask<Unit> call) => _ = call.AsTask();

    private readonly struct Method : IUnaryMethod<object, Unit, Unit>
    {
        public static MethodDescriptor Descriptor { get; } = new("test", "Method", MethodShape.Unary, MuxDispatch.Default, takesToken: false);

        public static void EncodeRequest(ref MessageWriter writer, Unit request)
        {
        }

        public static Unit DecodeRequest(ReadOnlySpan<byte> body) => default;

        public static void EncodeResponse(ref MessageWriter writer, Unit response)
        {
        }

        public static Unit DecodeResponse(ReadOnlySpan<byte> body) => default;

        public static ValueTask<Unit> InvokeAsync(object service, Unit request, CallOptions? options, CancellationToken cancellationToken) => default;
    }
}
