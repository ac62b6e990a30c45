using Mux.Serialization.Raw;

namespace Mux.Tests.Forwarding;

/// <summary>A service behind a gateway whose methods say who may call them.</summary>
[MuxService("shop.Office", Serializer = typeof(RawSerializer)), MuxAuthorize]
public interface IOffice
{
    ValueTask<byte[]> Look(byte[] order);

    [MuxAuthorize(Roles = "manager")]
    ValueTask<byte[]> Cancel(byte[] order, CancellationToken cancellationToken = default);

    [MuxAuthorize(Roles = "manager")]
    IAsyncEnumerable<byte[]> Watch(byte[] order, IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);

    [MuxAuthorize("north")]
    ValueTask<byte[]> Move(byte[] order, MuxCallOptions? options = null);

    [MuxAuthorize("north"), MuxMethod(Dispatch = MuxDispatchMode.Serial, TimeoutMilliseconds = 20_000)]
    ValueTask<byte[]> Number(byte[] order);

    [MuxAllowAnonymous]
    ValueTask<byte[]> Hours(byte[] day);
}
