using Mux.Serialization.Raw;

namespace Mux.Tests.Forwarding;

/// <summary>A service behind a gateway, with calls of all forms. Its messages are bytes, so that a test can send what nothing decodes.</summary>
[MuxService("shop.Orders", Serializer = typeof(RawSerializer))]
public interface IShop
{
    [MuxError<byte[]>(7)]
    ValueTask<byte[]> Ask(byte[] question, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    [MuxMethod(Idempotent = true, Priority = MuxCallPriority.High)]
    ValueTask<byte[]> Look(byte[] question, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(byte[] question);

    ValueTask<byte[]> Collect(byte[] question, IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> List(byte[] question, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> Talk(byte[] question, IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);
}
