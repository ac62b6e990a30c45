using Mux;
using Mux.Serialization.Raw;

namespace Serializers;

[MuxService("shop.Pictures")]
public interface IPictures
{
    ValueTask<int> Count(CancellationToken cancellationToken = default);

    [MuxMethod(Serializer = typeof(RawSerializer))]
    ValueTask<PooledBytes> Invert(PooledBytes picture, CancellationToken cancellationToken = default);

    [MuxMethod(Serializer = typeof(Utf8Text))]
    ValueTask<string> Describe(string name, CancellationToken cancellationToken = default);
}
