using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Written by a surrogate; what converts it is private, and null is not converted.</summary>
[ProtoContract(Surrogate = typeof(DegreesWire))]
public sealed class Degrees(double kelvin)
{
    public double Kelvin { get; } = kelvin;
}
