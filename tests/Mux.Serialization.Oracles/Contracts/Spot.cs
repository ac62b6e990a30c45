using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract(Surrogate = typeof(Point))]
public sealed class Spot(float x, float y)
{
    public static implicit operator Point(Spot? spot) => spot is null ? default : new(spot.X, spot.Y); // protobuf-net asks for null, too

    public static implicit operator Spot(Point point) => new(point.X, point.Y);

    private float X { get; } = x;

    private float Y { get; } = y;
}
