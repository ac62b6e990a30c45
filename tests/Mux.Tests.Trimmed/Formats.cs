using Google.Protobuf.WellKnownTypes;
using Mux.Serialization.Raw;

namespace Mux.Tests.Trimmed;

internal sealed class Formats : IFormats
{
    public ValueTask<Leg> Json(Leg leg) => new(leg);

    public ValueTask<Duration> Proto(Duration duration) => new(duration);

    public ValueTask<PooledBytes> Raw(PooledBytes bytes) => new(bytes);
}
